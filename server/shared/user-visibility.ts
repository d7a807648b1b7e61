/**
 * SQL conditions for content of users whom the viewer blocked, muted or was blocked by
 * (docs/decisions/0012-blocking-and-muting.md). The database function `is_blocked_between(a, b)` checks one pair.
 */
import type { Viewer } from '../core/auth/session.ts'
import type { Db, Fragment } from '../core/database/database.ts'

/**
 * Returns `and …`: the user with id `ownerId` did not block the viewer. Empty if not needed; moderators see everyone.
 */
export function andNotBlockedByOwner(db: Db, ownerId: Fragment, viewer: Viewer | null): Fragment {
  if (viewer === null || viewer.is_moderator || !viewer.has_blocks_or_mutes) return db``
  return db`and not exists (select from blocks where blocker_id = ${ownerId} and blocked_id = ${viewer.id})`
}

/**
 * Returns a subquery with the ids of users hidden from the viewer, for `id not in (…)`, which is evaluated once per
 * statement; null if no user is hidden.
 * @param muted whether to include muted users: in lists the site composes, but not on the pages of a user
 */
export function hiddenUserIds(db: Db, viewer: Viewer | null, { muted = false } = {}): Fragment | null {
  if (viewer === null || !viewer.has_blocks_or_mutes) return null
  return db`select blocked_id from blocks where blocker_id = ${viewer.id}
    ${viewer.is_moderator ? db`` : db`union all select blocker_id from blocks where blocked_id = ${viewer.id}`}
    ${muted ? db`union all select muted_id from mutes where user_id = ${viewer.id} and muted_id is not null` : db``}`
}

/** Returns `hiddenUserIds` as a condition on a column, `and …`; empty if not needed. */
export function andNotHidden(
  db: Db,
  column: Fragment,
  viewer: Viewer | null,
  { muted = false } = {},
): Fragment {
  const hiddenIds = hiddenUserIds(db, viewer, { muted })
  return hiddenIds === null ? db`` : db`and ${column} not in (${hiddenIds})`
}

/** Returns `and …`: none of `tags` is muted, except those that the viewer asked for by name. Empty if not needed. */
export function andTagsNotMuted(
  db: Db,
  tags: Fragment,
  viewer: Viewer | null,
  namedTags: readonly string[],
): Fragment {
  if (viewer === null || !viewer.has_blocks_or_mutes) return db``
  return db`and not ${tags} && array(
    select tag from mutes where user_id = ${viewer.id} and tag is not null and tag <> all (${namedTags as string[]}::text[]))`
}
