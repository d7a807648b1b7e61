/** Collections, channels and tags that users follow (docs/decisions/0056-followed-lists.md). */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Viewer } from '../core/auth/session.ts'
import { type Db, type Fragment, inlineNumber } from '../core/database/database.ts'
import type { OrderedList } from './order-keys.ts'
import { sharesList } from './profile-visibility.ts'

/** A collection or channel, which can be followed. */
export type ContainerKind = OrderedList['kind']

/** The condition that a user (null: a visitor) follows the collection or channel with an id. */
export function isContainerFollowed(
  db: Db,
  kind: ContainerKind,
  id: Fragment,
  userId: Fragment | number | null,
): Fragment {
  if (userId === null) return db`false`
  return db`exists (select from followed_lists f where f.user_id = ${userId} and f.${db(`${kind}_id`)} = ${id})`
}

/**
 * The number of followers of a collection or channel of users `u` that the viewer may see, up to 10,000. It is 0 if the owner
 * hides their followers.
 */
export function containerFollowersCount(
  db: Db,
  kind: ContainerKind,
  id: Fragment,
  viewer: Pick<Viewer, 'id'> | null,
): Fragment {
  return db`case when ${sharesList(db, 'followers', viewer)} then ${countContainerFollowers(db, kind, id)} else 0 end`
}

/** The number of all followers of a collection or channel, up to 10,000. */
export function countContainerFollowers(db: Db, kind: ContainerKind, id: Fragment): Fragment {
  return db`(select count(*)::int
      from (select from followed_lists f where f.${db(`${kind}_id`)} = ${id}
             limit ${inlineNumber(db, limits.exactCountMax)}) counted)`
}
