/** Creates the session of an authenticated user, whatever sign-in method they used. */
import { isIP } from 'node:net'
import type { logIn, TokenPair } from '@reelmark/contract/accounts.ts'
import type { Reply } from '@reelmark/contract/protocol/endpoint.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../database/database.ts'
import { noteSecurityContext } from '../security-log.ts'
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

/** Request and response of the call that signs a user in. */
export interface RequestContext {
  request: FastifyRequest
  reply: FastifyReply
}

interface SignInOptions {
  /** If false, the session lasts 24 hours. */
  remember: boolean
  /** After a login by password: the hash that the password was checked against. */
  password_hash?: string | null
}

/**
 * Creates a session and makes the browser a trusted device. Returns null if the account was banned or its password
 * changed since it was read; the row lock waits for such changes.
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
  const [session] = await db<{ id: number; device_generation: number }[]>`
    insert into sessions (user_id, refresh_hash, remember, user_agent, address, expires_at)
    select id, ${hashRefreshSecret(secret)}, ${remember}, ${user_agent}, ${address}::inet,
           now() + make_interval(secs => ${seconds})
      from users
     where id = ${user.id} and banned_at is null
       and (${password_hash}::text is null or password_hash = ${password_hash})
       for share
    returning id, (select device_generation from users where users.id = user_id)`
  if (session === undefined) return null
  await endSurplusSessions(db, user.id)
  setTrustedDeviceCookie(request, reply, { user_id: user.id, generation: session.device_generation })
  noteSecurityContext(request, { actor_id: user.id })
  const pair = await issueTokenPair(request.server.deps.serverKeys, user.id, {
    session_id: session.id,
    secret,
  })
  return { ...pair, username: user.username }
}

/** Ends the sessions of a user beyond `limits.sessionsMax`, least recently used first. */
async function endSurplusSessions(db: Db, userId: number): Promise<void> {
  await db`
    update sessions set ended_at = now(), expires_at = least(expires_at, now())
     where id in (select id from sessions where user_id = ${userId} and ended_at is null and expires_at > now()
                   order by last_used_at desc, id desc offset ${limits.sessionsMax})`
}

/** Returns the access token and the refresh token of a session as text. */
export async function issueTokenPair(
  keys: ServerKeys,
  userId: number,
  token: RefreshToken,
): Promise<TokenPair> {
  const options = tokenOptions(keys['access-token'])
  return {
    access: await signAccessToken({ user_id: userId, session_id: token.session_id }, options),
    refresh: encodeRefreshToken(keys['refresh-token'], token),
  }
}

export interface ClientInfo {
  user_agent: string
  /** Null if it is not a valid IP address. */
  address: string | null
}

/** Returns the user agent and address of a request. */
export function describeClient(request: FastifyRequest): ClientInfo {
  // IPv4-mapped IPv6 addresses, as dual-stack sockets report them, count as IPv4.
  const address = request.ip.replace(/%.*/s, '').replace(/^::ffff:(?=\d+\.)/i, '')
  return {
    // Node decodes header bytes beyond ASCII as Latin-1, and refuses NUL.
    user_agent: (request.headers['user-agent'] ?? '').slice(0, 500),
    // A proxy may send any text.
    address: isIP(address) === 0 ? null : address,
  }
}
