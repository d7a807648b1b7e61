/** Groups likes of several bookmarks of the receiver, and saves, within six hours of the clock into one entry each. */
import type { Db, Fragment } from '../../core/database/database.ts'

/** The kinds that are grouped, by the prefix of the ids of their groups. */
export const groupedKinds = { likes: 'own_video_liked', saves: 'own_video_bookmarked' } as const
type GroupPrefix = keyof typeof groupedKinds

/** Returns the number of the six hours in which a time is. The groups of likes and of saves have these numbers. */
export function groupNumber(db: Db, at: Fragment): Fragment {
  return db`floor(extract(epoch from ${at}) / 21600)::bigint`
}

/** Returns what the events of one group have in common, of events with a `kind`; other events are alone. */
export function groupKey(db: Db, at: Fragment, id: Fragment): Fragment {
  return db`case when kind in (${groupedKinds.likes}, ${groupedKinds.saves}) then ${groupNumber(db, at)} else -${id} end`
}

/** Returns a condition: notification `n` is in the group with this id. */
export function isInGroup(db: Db, groupId: string): Fragment {
  const [prefix, number] = groupId.split('-') as [GroupPrefix, string]
  return db`(n.kind = ${groupedKinds[prefix]} and ${groupNumber(db, db`n.last_event_at`)} = ${Number(number)}::bigint)`
}

/** Returns the id of entry `p`. A group has more than one event. */
export function entryId(db: Db): Fragment {
  return db`case when cardinality(p.event_ids) > 1
    then case p.kind when ${groupedKinds.likes} then 'likes-' else 'saves-' end || ${groupNumber(db, db`p.at`)}
    else coalesce('event-' || p.event_ids[1], 'bookmarks-in-' || p.list_id, 'bookmarks-of-' || p.followee_id) end`
}
