/**
 * Who is out of whose sight, as fragments of a statement (docs/decisions/0012-blocking-and-muting.md). Between two
 * people the database has `is_blocked_between(a, b)`.
 */
import type { Db, Fragment } from '../core/database/database.ts'

export interface VisibilityViewer {
  id: number
  is_moderator: boolean
  /** Whether any block or mute concerns them (core/session.ts): for all others nothing is added to a statement. */
  has_blocks_or_mutes: boolean
}

/** That a person, by their id, did not block the viewer: `and …`, or nothing. Moderators find everyone. */
export function andNotBlockedByOwner(db: Db, person: Fragment, viewer: VisibilityViewer | null): Fragment {
  if (viewer === null || viewer.is_moderator || !viewer.has_blocks_or_mutes) return db``
  return db`and not exists (select from blocks where blocker_id = ${person} and blocked_id = ${viewer.id})`
}

/**
 * The ids of those whom somebody does not come across, as a select for `id not in (…)`: read once, whatever is
 * filtered by it. Null: nobody.
 * @param muted whether whom they muted is left out too: where the site chooses what is shown, not on people's pages
 */
export function hiddenUserIds(
  db: Db,
  viewer: VisibilityViewer | null,
  { muted = false } = {},
): Fragment | null {
  if (viewer === null || !viewer.has_blocks_or_mutes) return null
  return db`select blocked_id from blocks where blocker_id = ${viewer.id}
    ${viewer.is_moderator ? db`` : db`union all select blocker_id from blocks where blocked_id = ${viewer.id}`}
    ${muted ? db`union all select muted_id from mutes where user_id = ${viewer.id} and muted_id is not null` : db``}`
}

/** `unseenPeople` as a condition on a column: `and …`, or nothing. */
export function andNotHidden(
  db: Db,
  column: Fragment,
  viewer: VisibilityViewer | null,
  { muted = false } = {},
): Fragment {
  const hiddenIds = hiddenUserIds(db, viewer, { muted })
  return hiddenIds === null ? db`` : db`and ${column} not in (${hiddenIds})`
}

/** That none of `tags` is muted: `and …`, or nothing. Those asked for by name are shown. */
export function andTagsNotMuted(
  db: Db,
  tags: Fragment,
  viewer: VisibilityViewer | null,
  asked: readonly string[],
): Fragment {
  if (viewer === null || !viewer.has_blocks_or_mutes) return db``
  return db`and not ${tags} && array(
    select tag from mutes where user_id = ${viewer.id} and tag is not null and tag <> all (${asked as string[]}::text[]))`
}
