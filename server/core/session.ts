/** Who asks: read from the bearer token, and from the database on each request. */
import type { FastifyRequest } from 'fastify'
import type { Db } from './database.ts'
import { ApiError } from './errors.ts'
import { secretKey } from './secrets.ts'
import { type AccessClaims, ourTerms, verifyAccessToken } from './tokens.ts'

export interface Viewer {
  id: number
  username: string
  is_moderator: boolean
  session_id: number
}

/**
 * The signed-in user of a request, or null where it carries no token. Rights are those of the row, now: a ban, a
 * demotion and an ended session count from the next request on.
 * @throws ApiError('bad-token') where the header is malformed, or the token forged, expired, or its session over.
 */
export async function authenticate(db: Db, request: FastifyRequest): Promise<Viewer | null> {
  const header = request.headers.authorization
  if (header === undefined) return null
  const token = /^Bearer +(\S+) *$/i.exec(header)?.[1]
  const claims = token === undefined ? null : await readClaims(db, token)
  const [viewer] = claims === null ? [] : await findViewer(db, claims)
  if (viewer === undefined) throw new ApiError('bad-token')
  return viewer
}

async function readClaims(db: Db, token: string): Promise<AccessClaims | null> {
  const terms = ourTerms(await secretKey(db, 'access-token'))
  return verifyAccessToken(token, terms).catch(() => null)
}

function findViewer(db: Db, { user_id, session_id }: AccessClaims) {
  return db<Viewer[]>`
    select u.id, u.username, u.is_moderator, s.id as session_id
      from sessions s join users u on u.id = s.user_id
     where s.id = ${session_id} and s.user_id = ${user_id}
       and s.ended_at is null and s.expires_at > now() and u.banned_at is null`
}

/**
 * Ends all sessions of a user: after a ban, a password change or reset. `except` keeps one, the caller's own.
 * Their access tokens fail from the next request on.
 */
export async function endSessionsOf(db: Db, userId: number, except: number | null = null): Promise<void> {
  await db`
    update sessions set ended_at = now(), expires_at = least(expires_at, now())
     where user_id = ${userId} and ended_at is null and id is distinct from ${except}`
}
