/** Authentication of requests by bearer token, checked against the database each time. */
import type { KeyObject } from 'node:crypto'
import { type TokenScope, tokenPrefix } from '@reelmark/contract/access-tokens.ts'
import type { Scope } from '@reelmark/contract/protocol/endpoint.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FastifyRequest } from 'fastify'
import { createBatchLoader } from '../database/batch-loader.ts'
import type { Db, Fragment } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { lastChangeNumber } from '../http/cache-changes.ts'
import { ApiError } from '../http/errors.ts'
import { hashOpaqueToken } from './hash-token.ts'
import type { AccessClaims } from './tokens.ts'
import { verifyKnownToken } from './verified-tokens.ts'

export interface Viewer {
  id: number
  username: string
  /**
   * Whether the user is a moderator, has the second factor that moderators need and, with an access token, the token
   * has the scope `moderate`.
   */
  is_moderator: boolean
  /** Whether the user is a moderator and `is_moderator` is false only because they have no second factor. */
  needs_second_factor: boolean
  /**
   * Whether the user is an owner and has the second factor that moderators need; false with an access token, which
   * cannot do what owners do.
   */
  is_owner: boolean
  /** Null for calls with a personal access token. */
  session_id: number | null
  /** The scopes of the access token; null for sessions, which are not limited to scopes. */
  scopes: TokenScope[] | null
  /** Whether the user authenticated within `limits.reauthenticationSeconds`. */
  recently_authenticated: boolean
  /** Whether the user blocked, muted or was blocked; only then do queries need to filter hidden users. */
  has_blocks_or_mutes: boolean
  /** Whether a comment of the user waits for a moderator; only the user sees it. */
  has_held_comments: boolean
  /** In seconds since registration. */
  account_age: number
  /** Until then the user may only change their own account; null if they are not suspended. */
  suspended_until: Date | null
  /** The number of the last announced change when the user was read (core/http/cache-changes.ts). */
  last_change: number
}

/** A viewer with a session, as endpoints of the scope `session` require. */
export type SessionViewer = Viewer & { session_id: number }

/**
 * Returns the user who makes a request, or null if it has no token. Rights are read from the database, so that a ban, a
 * demotion or the end of a session takes effect with the next request.
 * @throws ApiError('invalid-token') if the header is malformed, or the token is forged, expired or its session ended
 */
export async function authenticate(db: Db, request: FastifyRequest): Promise<Viewer | null> {
  const header = request.headers.authorization
  if (header === undefined) return null
  const token = /^Bearer +(\S+) *$/i.exec(header)?.[1]
  const viewer = token === undefined ? null : await findViewer(request.server.deps, db, token)
  if (viewer === null) throw new ApiError('invalid-token')
  return viewer
}

/**
 * Checks that the viewer may call endpoints of a scope.
 * @throws ApiError('insufficient-scope') for an access token without the scope
 */
export function requireScope({ scopes }: Viewer, scope: Scope): void {
  if (scopes === null) return
  if (scope === 'session' || !scopes.includes(scope)) throw new ApiError('insufficient-scope')
}

async function findViewer({ serverKeys, settings }: AuthDeps, db: Db, token: string): Promise<Viewer | null> {
  const role: RoleOptions = { isSecondFactorNeeded: settings.moderatorSecondFactor }
  if (token.startsWith(tokenPrefix)) return findByAccessToken(db, token, role)
  const claims = await readClaims(serverKeys['access-token'], token)
  return claims === null ? null : sessionLoader(db, role)(claims)
}

type SessionLoader = (claims: AccessClaims) => Promise<Viewer | null>

const sessionLoaders = new WeakMap<Db, SessionLoader>()

/**
 * Returns the function that finds the users of concurrent requests with one statement.
 * @param role the same in every call with the same `db`, as the settings of a process do not change
 */
function sessionLoader(db: Db, role: RoleOptions): SessionLoader {
  let loader = sessionLoaders.get(db)
  if (loader === undefined) {
    loader = createBatchLoader((claims) => findBySessions(db, claims, role))
    sessionLoaders.set(db, loader)
  }
  return loader
}

type AuthDeps = Pick<Deps, 'serverKeys' | 'settings'>

interface RoleOptions {
  isSecondFactorNeeded: boolean
}

async function readClaims(key: KeyObject, token: string): Promise<AccessClaims | null> {
  return verifyKnownToken(token, key).catch(() => null)
}

/** Returns the user of each session, or null if it ended or its user is banned. */
async function findBySessions(
  db: Db,
  claims: readonly AccessClaims[],
  role: RoleOptions,
): Promise<(Viewer | null)[]> {
  const rows = await db<(Viewer & { position: number })[]>`
    select wanted.position, u.id, u.username,
           ${roleColumns(db, { isModerator: db`u.is_moderator`, isOwner: db`u.is_owner` }, role)},
           s.id as session_id, null as scopes,
           s.authenticated_at > now() - make_interval(secs => ${limits.reauthenticationSeconds}) as recently_authenticated,
           ${hasBlocksOrMutes(db)}, ${hasHeldComments(db)}, ${suspendedUntil(db)}, ${accountAge(db)}, ${lastChangeNumber(db)} as last_change
      from unnest(${claims.map(({ session_id }) => session_id)}::bigint[],
                  ${claims.map(({ user_id }) => user_id)}::bigint[]) with ordinality as wanted (session_id, user_id, position)
      join sessions s on s.id = wanted.session_id and s.user_id = wanted.user_id
      join users u on u.id = s.user_id
     where s.ended_at is null and s.expires_at > now() and u.banned_at is null`
  const viewers: (Viewer | null)[] = claims.map(() => null)
  for (const { position, ...viewer } of rows) viewers[position - 1] = viewer
  return viewers
}

/**
 * Columns of users `u`. Second factors are read only for moderators, which owners are too.
 * @param isModerator,isOwner the roles without regard to second factors
 */
function roleColumns(
  db: Db,
  { isModerator, isOwner }: { isModerator: Fragment; isOwner: Fragment },
  { isSecondFactorNeeded }: RoleOptions,
): Fragment {
  if (!isSecondFactorNeeded) {
    return db`${isModerator} as is_moderator, ${isOwner} as is_owner, false as needs_second_factor`
  }
  const hasSecondFactor = db`(
    exists (select from authenticators a where a.user_id = u.id and a.confirmed_at is not null)
    or exists (select from passkeys p where p.user_id = u.id))`
  return db`${isModerator} and ${hasSecondFactor} as is_moderator, ${isOwner} and ${hasSecondFactor} as is_owner,
    ${isModerator} and not ${hasSecondFactor} as needs_second_factor`
}

/** Column of users `u`. Part of the authentication query, where it costs three index lookups. */
function hasBlocksOrMutes(db: Db): Fragment {
  return db`(exists (select from blocks where blocker_id = u.id) or exists (select from blocks where blocked_id = u.id)
    or exists (select from mutes where user_id = u.id)) as has_blocks_or_mutes`
}

/** Column of users `u`. */
function hasHeldComments(db: Db): Fragment {
  return db`exists (select from comments where user_id = u.id and status = 'hidden') as has_held_comments`
}

/** Column of users `u`. */
function suspendedUntil(db: Db): Fragment {
  return db`case when u.suspended_until > now() then u.suspended_until end as suspended_until`
}

/** Column of users `u`. */
function accountAge(db: Db): Fragment {
  return db`extract(epoch from now() - u.created_at)::float8 as account_age`
}

/** Finds the owner of an access token, and records the time of use at most once a minute. */
async function findByAccessToken(db: Db, token: string, role: RoleOptions): Promise<Viewer | null> {
  const [viewer] = await db<Viewer[]>`
    with token as (
      select t.id, t.user_id, t.scopes, t.last_used_at from access_tokens t
       where t.hash = ${hashOpaqueToken(token)} and (t.expires_at is null or t.expires_at > now())
    ), used as (
      update access_tokens a set last_used_at = now() from token
       where a.id = token.id and (token.last_used_at is null or token.last_used_at < now() - interval '1 minute')
         -- Checked again on the locked row, which a concurrent request may have updated.
         and (a.last_used_at is null or a.last_used_at < now() - interval '1 minute')
    )
    select u.id, u.username,
           ${roleColumns(
             db,
             { isModerator: db`(u.is_moderator and 'moderate' = any (token.scopes))`, isOwner: db`false` },
             role,
           )},
           null::bigint as session_id, token.scopes, false as recently_authenticated,
           ${hasBlocksOrMutes(db)}, ${hasHeldComments(db)}, ${suspendedUntil(db)}, ${accountAge(db)}, ${lastChangeNumber(db)} as last_change
      from token join users u on u.id = token.user_id
     where u.banned_at is null`
  return viewer ?? null
}

/**
 * Ends all sessions of a user, after a ban, a password change or a password reset, except the session `except`. Their
 * access tokens are refused from the next request on. No device is trusted any more, because one may be an intruder's.
 * Returns the new generation of trusted devices, with which the device of the session `except` can be trusted again.
 */
export async function endUserSessions(
  db: Db,
  userId: number,
  except: number | null = null,
): Promise<{ generation: number }> {
  const [row] = await db<[{ generation: number }]>`
    with owner as (
      -- Locked first, as by other changes of the account.
      update users set device_generation = device_generation + 1 where id = ${userId}
      returning id, device_generation
    ), ended as (
      update sessions set ended_at = now(), expires_at = least(expires_at, now())
       where user_id = (select id from owner) and ended_at is null and id is distinct from ${except}
    )
    select device_generation as generation from owner`
  return row
}

/** Deletes all personal access tokens of a user, after a ban, a password change or a password reset. */
export async function removeUserAccessTokens(db: Db, userId: number): Promise<void> {
  await db`delete from access_tokens where user_id = ${userId}`
}
