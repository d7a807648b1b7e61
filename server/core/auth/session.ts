/** Authentication of requests by bearer token, checked against the database each time. */
import type { KeyObject } from 'node:crypto'
import { type TokenScope, tokenPrefix } from '@reelmark/contract/access-tokens.ts'
import type { Scope } from '@reelmark/contract/protocol/endpoint.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createBatchLoader } from '../database/batch-loader.ts'
import type { Db, Fragment } from '../database/database.ts'
import { lastChangeNumber } from '../http/cache-changes.ts'
import { ApiError } from '../http/errors.ts'
import { hashOpaqueToken } from './hash-token.ts'
import type { AccessClaims } from './tokens.ts'
import { verifyKnownToken } from './verified-tokens.ts'

export interface Viewer {
  id: number
  username: string
  /** In lower case. */
  former_usernames: string[]
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
  /** Whether the user follows collections, channels or tags; only then does the feed look for their bookmarks. */
  follows_lists: boolean
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

/** Is called with the user of a session's token before the session is read: whether the user may sign in is not known yet. */
export type OnUser = (userId: number) => void

/** Who makes a request, as far as authentication needs it. */
export type Caller = Pick<FastifyRequest, 'headers' | 'server'>

/**
 * Returns the user who makes a request, or null if it has no token. Rights are read from the database, so that a ban, a
 * demotion or the end of a session takes effect with the next request.
 * @throws ApiError('invalid-token') if the header is malformed, or the token is forged, expired or its session ended
 */
export async function authenticate(
  db: Db,
  caller: Caller,
  onUser: OnUser = () => {},
): Promise<Viewer | null> {
  if (caller.headers.authorization === undefined) return null
  const token = readBearer(caller)
  const found = token === null ? null : await findViewer(caller.server, db, token, onUser)
  if (found === null) throw new ApiError('invalid-token')
  return found
}

/** Returns the token with which a request authenticates; null without one, or if the header is malformed. */
export function readBearer({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? null
}

/**
 * Checks that the viewer may call endpoints of a scope.
 * @throws ApiError('insufficient-scope') for an access token without the scope, or ApiError('forbidden') for a session if
 * only access tokens may call
 */
export function requireScope({ scopes }: Viewer, scope: Scope): void {
  if (scopes === null) {
    if (scope === 'token') throw new ApiError('forbidden')
    return
  }
  // The token of a feed is part of an address, and allows nothing else.
  if (scope === 'token' && scopes.some((name) => name !== 'feed')) return
  if (scope === 'token' || scope === 'session' || !scopes.includes(scope))
    throw new ApiError('insufficient-scope')
}

/**
 * Returns the owner of an access token that an address contains; null if the token has another scope, too. Addresses are
 * stored by programs and shown to proxies, so that a token in one must not allow anything else.
 */
export async function findViewerByToken(
  server: FastifyInstance,
  token: string,
  scope: TokenScope,
): Promise<Viewer | null> {
  if (!token.startsWith(tokenPrefix)) return null
  const viewer = await findViewer(server, server.deps.db, token)
  const scopes = viewer?.scopes ?? []
  return scopes.length === 1 && scopes[0] === scope ? viewer : null
}

async function findViewer(
  server: FastifyInstance,
  db: Db,
  token: string,
  onUser?: OnUser,
): Promise<Viewer | null> {
  const { serverKeys, settings } = server.deps
  const role: RoleOptions = { isSecondFactorNeeded: settings.moderatorSecondFactor }
  if (token.startsWith(tokenPrefix)) return findByAccessToken(db, token, role)
  const claims = await readClaims(serverKeys['access-token'], token)
  if (claims === null) return null
  onUser?.(claims.user_id)
  return sessionLoader(server, db, role)(claims)
}

type SessionLoader = (claims: AccessClaims) => Promise<Viewer | null>

const sessionLoaders = new WeakMap<FastifyInstance['deps'], SessionLoader>()

/**
 * Returns the function that finds the users of concurrent requests with one statement.
 * @param role the same in every call for the same server, as the settings of a process do not change
 */
function sessionLoader({ deps }: FastifyInstance, db: Db, role: RoleOptions): SessionLoader {
  let loader = sessionLoaders.get(deps)
  if (loader === undefined) {
    loader = createBatchLoader((claims) => findBySessions(db, claims, role))
    sessionLoaders.set(deps, loader)
  }
  return loader
}

interface RoleOptions {
  isSecondFactorNeeded: boolean
}

async function readClaims(key: KeyObject, token: string): Promise<AccessClaims | null> {
  return verifyKnownToken(token, key).catch(() => null)
}

/** Returns the user of each session, or null if it ended or its user is banned. */
async function findBySessions(
  db: Db,
  sessions: readonly AccessClaims[],
  role: RoleOptions,
): Promise<(Viewer | null)[]> {
  const rows = await db<(Viewer & { position: number })[]>`
    select wanted.position, u.id, u.username, ${formerUsernames(db)},
           ${roleColumns(db, { isModerator: db`u.is_moderator`, isOwner: db`u.is_owner` }, role)},
           s.id as session_id, null as scopes,
           s.authenticated_at > now() - make_interval(secs => ${limits.reauthenticationSeconds}) as recently_authenticated,
           ${hasBlocksOrMutes(db)}, ${followsLists(db)}, ${hasHeldComments(db)}, ${suspendedUntil(db)}, ${accountAge(db)}, ${lastChangeNumber(db)} as last_change
      from (select session_id, user_id, position
              from unnest(${sessions.map(({ session_id }) => session_id)}::bigint[], ${sessions.map(({ user_id }) => user_id)}::bigint[])
                   with ordinality as requested (session_id, user_id, position) offset 0) wanted
      -- "offset 0" has PostgreSQL look up each session. While there are few, it would read all of them instead. "is true": by its own
      -- id, and not among those of its user.
      cross join lateral (
        select s.id, s.authenticated_at from sessions s
         where s.id = wanted.session_id and (s.user_id = wanted.user_id) is true and s.ended_at is null and s.expires_at > now()
        offset 0) s
      join users u on u.id = wanted.user_id
     where u.banned_at is null`
  const found: (Viewer | null)[] = sessions.map(() => null)
  for (const { position, ...viewer } of rows) found[position - 1] = viewer
  return found
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
function followsLists(db: Db): Fragment {
  return db`exists (select from followed_lists where user_id = u.id) as follows_lists`
}

/** Column of users `u`. */
function hasHeldComments(db: Db): Fragment {
  return db`exists (select from comments where user_id = u.id and status = 'hidden') as has_held_comments`
}

/** Column of users `u`. Only those who changed their username have any. */
function formerUsernames(db: Db): Fragment {
  return db`case when u.username_since is null then '{}'
    else array(select lower(username) from former_usernames where user_id = u.id) end as former_usernames`
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
    select u.id, u.username, ${formerUsernames(db)},
           ${roleColumns(
             db,
             { isModerator: db`(u.is_moderator and 'moderate' = any (token.scopes))`, isOwner: db`false` },
             role,
           )},
           null::bigint as session_id, token.scopes, false as recently_authenticated,
           ${hasBlocksOrMutes(db)}, ${followsLists(db)}, ${hasHeldComments(db)}, ${suspendedUntil(db)}, ${accountAge(db)}, ${lastChangeNumber(db)} as last_change
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

/**
 * Deletes all personal access tokens of a user and turns off their webhooks, after a ban, a password change or a password
 * reset: an intruder may have created them. The owner can turn webhooks on again.
 */
export async function revokeProgramAccess(db: Db, userId: number): Promise<void> {
  await db`
    with turned_off as (
      update webhooks set disabled_at = now() where user_id = ${userId} and disabled_at is null
    )
    delete from access_tokens where user_id = ${userId}`
}
