/** Finding users by name (docs/decisions/0098-changing-usernames.md). */
import type { Viewer } from '../core/auth/session.ts'
import type { Db, Fragment } from '../core/database/database.ts'

/** Selects the id of the user to whom a name leads, whatever the case: as their username or a former one. */
export function selectNamedUser(db: Db, name: string | Fragment): Fragment {
  return db`(select id from users where lower(username) = lower(${name})
             union all select user_id from former_usernames where lower(username) = lower(${name}) limit 1)`
}

/** Users `u` to whom a name leads. */
export function isNamed(db: Db, name: string): Fragment {
  return db`u.id = ${selectNamedUser(db, name)}`
}

/** Returns whether a name leads to the viewer. Tabs that were open before a change still use the former one. */
export function isOwnName(
  name: string | null | undefined,
  viewer: Pick<Viewer, 'username' | 'former_usernames'> | null,
): boolean {
  if (!name || viewer === null) return false
  const lowered = name.toLowerCase()
  return lowered === viewer.username.toLowerCase() || viewer.former_usernames.includes(lowered)
}
