/**
 * Who is out of whose sight, as fragments of a statement (docs/decisions/0012-blocking-and-muting.md). Between two
 * people the database has `is_blocked_between(a, b)`.
 */
import type { Fragment } from 'postgres'
import type { Db } from '../../core/database.ts'

export interface Watcher {
  id: number
  is_moderator: boolean
  /** Whether any block or mute concerns them (core/session.ts): for all others nothing is added to a statement. */
  has_unseen: boolean
}

/** Whether users `alias` blocked somebody, who then finds them nowhere. Moderators find everyone. */
export function isUnseenBy(db: Db, alias: string, viewer: Watcher | null): Fragment {
  if (viewer === null || viewer.is_moderator || !viewer.has_unseen) return db`false`
  return db`exists (select from blocks where blocker_id = ${db(`${alias}.id`)} and blocked_id = ${viewer.id})`
}

/**
 * The ids of those whom somebody does not come across, as a select for `id not in (…)`: read once, whatever is
 * filtered by it. Null: nobody.
 */
export function unseenPeople(db: Db, viewer: Watcher | null): Fragment | null {
  if (viewer === null || !viewer.has_unseen) return null
  return db`select blocked_id from blocks where blocker_id = ${viewer.id}
    ${viewer.is_moderator ? db`` : db`union all select blocker_id from blocks where blocked_id = ${viewer.id}`}`
}

/** `unseenPeople` as a condition on a column: `and …`, or nothing. */
export function andSeen(db: Db, column: Fragment, viewer: Watcher | null): Fragment {
  const unseen = unseenPeople(db, viewer)
  return unseen === null ? db`` : db`and ${column} not in (${unseen})`
}
