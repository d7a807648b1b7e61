/** Who asks: read from the bearer token, and from the database on each request. */
import type { KeyObject } from 'node:crypto'
import { type TokenScope, tokenPrefix } from '@reelmark/contract/access-tokens.ts'
import type { Scope } from '@reelmark/contract/protocol/endpoint.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FastifyRequest } from 'fastify'
import type { Db, Fragment } from '../database/database.ts'
import { ApiError } from '../http/errors.ts'
import { hashOpaqueToken } from './hash-token.ts'
import { type AccessClaims, tokenOptions, verifyAccessToken } from './tokens.ts'

export interface Viewer {
  id: number
  username: string
  /** They are one now; where an access token calls, it may moderate too. */
  is_moderator: boolean
  /** Null: not signed in, but calling with an access token. */
  session_id: number | null
  /** Of the access token; null: signed in, and so allowed whatever the person is. */
  scopes: TokenScope[] | null
  /** They showed who they are within the last minutes (limits.confirmedSeconds). */
  recently_authenticated: boolean
  /** Some block or mute concerns them: then lists leave people out, and for everyone else are as they were. */
  has_blocks_or_mutes: boolean
  /** Seconds since they signed up. */
  account_age: number
  /** Until then they change nothing but their own account; null: they are not suspended. */
  suspended_until: Date | null
}

/** Somebody signed in: whoever a call of the scope `session` comes from. */
export type SessionViewer = Viewer & { session_id: number }

/**
 * The signed-in user of a request, or null where it carries no token. Rights are those of the row, now: a ban, a
 * demotion and an ended session count from the next request on.
 * @throws ApiError('invalid-token') where the header is malformed, or the token forged, expired, or its session over.
 */
export async function authenticate(db: Db, request: FastifyRequest): Promise<Viewer | null> {
  const header = request.headers.authorization
  if (header === undefined) return null
  const token = /^Bearer +(\S+) *$/i.exec(header)?.[1]
  const viewer =
    token === undefined ? null : await findViewer(db, request.server.deps.serverKeys['access-token'], token)
  if (viewer === null) throw new ApiError('invalid-token')
  return viewer
}

/**
 * Whether somebody may make calls of a scope.
 * @throws ApiError('insufficient-scope') for an access token that was not made for it.
 */
export function requireScope({ scopes }: Viewer, scope: Scope): void {
  if (scopes === null) return
  if (scope === 'session' || !scopes.includes(scope)) throw new ApiError('insufficient-scope')
}

async function findViewer(db: Db, key: KeyObject, token: string): Promise<Viewer | null> {
  if (token.startsWith(tokenPrefix)) return findByAccessToken(db, token)
  const claims = await readClaims(key, token)
  return claims === null ? null : findBySession(db, claims)
}

async function readClaims(key: KeyObject, token: string): Promise<AccessClaims | null> {
  return verifyAccessToken(token, tokenOptions(key)).catch(() => null)
}

async function findBySession(db: Db, { user_id, session_id }: AccessClaims): Promise<Viewer | null> {
  const [viewer] = await db<Viewer[]>`
    select u.id, u.username, u.is_moderator, s.id as session_id, null as scopes,
           s.authenticated_at > now() - make_interval(secs => ${limits.reauthenticationSeconds}) as recently_authenticated,
           ${hasBlocksOrMutes(db)}, ${suspendedUntil(db)}, ${accountAge(db)}
      from sessions s join users u on u.id = s.user_id
     where s.id = ${session_id} and s.user_id = ${user_id}
       and s.ended_at is null and s.expires_at > now() and u.banned_at is null`
  return viewer ?? null
}

/** Of users `u`. Asked here, where the statement is sent anyway: three looks into indexes. */
function hasBlocksOrMutes(db: Db): Fragment {
  return db`(exists (select from blocks where blocker_id = u.id) or exists (select from blocks where blocked_id = u.id)
    or exists (select from mutes where user_id = u.id)) as has_blocks_or_mutes`
}

/** Of users `u`. */
function suspendedUntil(db: Db): Fragment {
  return db`case when u.suspended_until > now() then u.suspended_until end as suspended_until`
}

/** Of users `u`. */
function accountAge(db: Db): Fragment {
  return db`extract(epoch from now() - u.created_at)::float8 as account_age`
}

/** Its use is written down too, at most once a minute. */
async function findByAccessToken(db: Db, token: string): Promise<Viewer | null> {
  const [viewer] = await db<Viewer[]>`
    with token as (
      select t.id, t.user_id, t.scopes, t.last_used_at from access_tokens t
       where t.hash = ${hashOpaqueToken(token)} and (t.expires_at is null or t.expires_at > now())
    ), used as (
      update access_tokens a set last_used_at = now() from token
       where a.id = token.id and (token.last_used_at is null or token.last_used_at < now() - interval '1 minute')
         -- Again, as it is once whoever else wrote it down at that moment is done.
         and (a.last_used_at is null or a.last_used_at < now() - interval '1 minute')
    )
    select u.id, u.username, u.is_moderator and 'moderate' = any (token.scopes) as is_moderator,
           null::bigint as session_id, token.scopes, false as recently_authenticated,
           ${hasBlocksOrMutes(db)}, ${suspendedUntil(db)}, ${accountAge(db)}
      from token join users u on u.id = token.user_id
     where u.banned_at is null`
  return viewer ?? null
}

/**
 * Ends all sessions of a user: after a ban, a password change or reset. `except` keeps one, the caller's own.
 * Their access tokens fail from the next request on.
 */
export async function endUserSessions(db: Db, userId: number, except: number | null = null): Promise<void> {
  await db`
    update sessions set ended_at = now(), expires_at = least(expires_at, now())
     where user_id = ${userId} and ended_at is null and id is distinct from ${except}`
}

/** Removes all access tokens of a user: after a password reset. */
export async function removeUserAccessTokens(db: Db, userId: number): Promise<void> {
  await db`delete from access_tokens where user_id = ${userId}`
}
