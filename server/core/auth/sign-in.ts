/** Starts the session of somebody whose identity is settled, whichever way they showed it. */
import { isIP } from 'node:net'
import type { logIn, TokenPair } from '@reelmark/contract/accounts.ts'
import type { Reply } from '@reelmark/contract/protocol/endpoint.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../database/database.ts'
import type { ServerKeys } from './server-keys.ts'
import {
  encodeRefreshToken,
  hashRefreshSecret,
  newRefreshSecret,
  type RefreshToken,
  signAccessToken,
  tokenOptions,
} from './tokens.ts'
import { setTrustedDeviceCookie } from './trusted-device.ts'

/** Where somebody signs in: a mounted endpoint's call has both. */
export interface RequestContext {
  request: FastifyRequest
  reply: FastifyReply
}

interface SignInOptions {
  /** False: the session lasts 24 hours. */
  remember: boolean
  /** Where a password let them in: the hash it was checked against. */
  password_hash?: string | null
}

/**
 * Signs somebody in, and makes their browser a trusted device. Null where the account was banned, or its password
 * changed, since it was read: the lock makes a change under way finish first.
 */
export async function signIn(
  db: Db,
  { request, reply }: RequestContext,
  user: { id: number; username: string },
  { remember, password_hash = null }: SignInOptions,
): Promise<Reply<typeof logIn> | null> {
  const secret = newRefreshSecret()
  const { user_agent, address } = describeClient(request)
  const seconds = remember ? limits.rememberedSessionSeconds : limits.shortSessionSeconds
  const [session] = await db<{ id: number }[]>`
    insert into sessions (user_id, refresh_hash, remember, user_agent, address, expires_at)
    select id, ${hashRefreshSecret(secret)}, ${remember}, ${user_agent}, ${address}::inet,
           now() + make_interval(secs => ${seconds})
      from users
     where id = ${user.id} and banned_at is null
       and (${password_hash}::text is null or password_hash = ${password_hash})
       for share
    returning id`
  if (session === undefined) return null
  setTrustedDeviceCookie(request, reply, user.id)
  const pair = await issueTokenPair(request.server.deps.serverKeys, user.id, {
    session_id: session.id,
    secret,
  })
  return { ...pair, username: user.username }
}

/** Both tokens of a session, as text. */
export async function issueTokenPair(
  keys: ServerKeys,
  userId: number,
  token: RefreshToken,
): Promise<TokenPair> {
  const terms = tokenOptions(keys['access-token'])
  return {
    access: await signAccessToken({ user_id: userId, session_id: token.session_id }, terms),
    refresh: encodeRefreshToken(keys['refresh-token'], token),
  }
}

export interface ClientInfo {
  user_agent: string
  /** Null where it is no address. */
  address: string | null
}

/** What a request says of where it comes from. */
export function describeClient(request: FastifyRequest): ClientInfo {
  // IPv4 in IPv6 clothes, as a socket for both gives it, is IPv4.
  const address = request.ip.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  return {
    // Header bytes beyond ASCII come as Latin-1; none of them is NUL.
    user_agent: (request.headers['user-agent'] ?? '').slice(0, 500),
    // A proxy may have made something up.
    address: isIP(address) === 0 ? null : address,
  }
}
