/** Decides whether a caller may call an endpoint. */
import { type Endpoint, requiredScope } from '@reelmark/contract/protocol/endpoint.ts'
import { reauthenticationRequired } from '../auth/reauthentication.ts'
import { authenticate, type Caller, type OnUser, requireScope, type Viewer } from '../auth/session.ts'
import type { Db } from '../database/database.ts'
import { ApiError } from './errors.ts'

/** Returns whether a call is made as a visitor, which needs no further checks: those of `authorize` concern users. */
export function isVisitor({ auth }: Endpoint, { headers }: Caller): boolean {
  return auth === 'anyone' || (auth === 'viewer' && headers.authorization === undefined)
}

/**
 * Returns the user who makes a call, or null for a visitor.
 * @param onUser is called before the session is read
 * @throws ApiError (401, 403) if the user may not call the endpoint
 */
export async function authorize(
  db: Db,
  endpoint: Endpoint,
  caller: Caller,
  onUser?: OnUser,
): Promise<Viewer | null> {
  if (isVisitor(endpoint, caller)) return null
  const viewer = await authenticate(db, caller, onUser)
  if (viewer === null && endpoint.auth !== 'viewer') throw new ApiError('unauthenticated')
  const scope = requiredScope(endpoint)
  // Before the role: an access token without the scope is the problem even if its owner is a moderator.
  if (viewer !== null && scope !== null) requireScope(viewer, scope)
  const needsRole = endpoint.auth === 'moderator' || endpoint.auth === 'owner'
  if (needsRole && viewer?.needs_second_factor) throw new ApiError('moderator-needs-second-factor')
  if (endpoint.auth === 'moderator' && !viewer?.is_moderator) throw new ApiError('forbidden')
  if (endpoint.auth === 'owner' && !viewer?.is_owner) throw new ApiError('forbidden')
  const until = viewer?.suspended_until ?? null
  if (until !== null && isForbiddenToSuspended(endpoint)) {
    throw new ApiError('suspended', { until: until.toISOString() })
  }
  if (endpoint.requiresReauth && !viewer?.recently_authenticated)
    throw await reauthenticationRequired(db, viewer?.id ?? null)
  return viewer
}

/** Returns whether a call is forbidden to suspended users: every write, except to what only they see of their account. */
export function isForbiddenToSuspended(endpoint: Endpoint): boolean {
  const scope = requiredScope(endpoint)
  return (
    scope === 'moderate' ||
    endpoint.forbiddenWhileSuspended === true ||
    (scope === 'write' && !endpoint.allowedWhileSuspended)
  )
}
