import type { FollowEntry, FollowStatus } from '@reelmark/contract/follows.ts'
import type { Viewer } from '../../../core/auth/session.ts'
import type { Db, Fragment } from '../../../core/database/database.ts'
import { cursorKey, type PageRequest, timeOrderedPage } from '../../../core/http/cursor-paging.ts'
import {
  canSeeProfile,
  type PrivateList,
  sharesList,
  visibleFollowersCount,
} from '../../../shared/profile-visibility.ts'
import { avatarUrl } from '../../../shared/user-columns.ts'
import { andNotBlockedByOwner, andNotHidden } from '../../../shared/user-visibility.ts'

/** Returns the follow status of a user, or null if the viewer may not see the user. */
export async function getFollowStatus(db: Db, viewer: Viewer, id: number): Promise<FollowStatus | null> {
  const [status] = await db<FollowStatus[]>`
    select ${isFollowed(db, viewer)} as is_followed, ${visibleFollowersCount(db, viewer)} as followers_count
      from users u
     where u.id = ${id} and u.banned_at is null and not is_blocked_between(${viewer.id}, u.id)
       and ${canFollow(db, viewer)}`
  return status ?? null
}

/** Returns a condition: the viewer may follow users `u`, or follows them already and may end that. */
function canFollow(db: Db, viewer: Viewer): Fragment {
  return db`(${canSeeProfile(db, viewer)} or ${isFollowed(db, viewer)})`
}

/**
 * Follows or unfollows a user, or toggles between the two; null if the viewer may not see the user. Locks both users by
 * id first, like the trigger that counts followers: this prevents deadlocks, and the returned count is current. A
 * concurrent block ends the follow (docs/decisions/0012-blocking-and-muting.md).
 */
export async function setFollow(
  db: Db,
  viewer: Viewer,
  id: number,
  action: 'follow' | 'unfollow' | 'toggle',
): Promise<FollowStatus | null> {
  const insertion =
    action === 'unfollow'
      ? db`select null where false`
      : db`insert into follows (follower_id, followee_id)
           select ${viewer.id}, id from target where not exists (select from deleted)
           on conflict do nothing returning followee_id`
  const [status] = await db<FollowStatus[]>`
    with pair as materialized (
      select * from users where id in (${viewer.id}, ${id}) order by id for no key update
    ), target as (
      select u.* from pair u
       where u.id = ${id} and u.banned_at is null and not is_blocked_between(${viewer.id}, ${id}) and ${canFollow(db, viewer)}
    ), deleted as (
      delete from follows f using target
       where f.follower_id = ${viewer.id} and f.followee_id = target.id and ${action !== 'follow'}
      returning f.followee_id
    ), inserted as (${insertion})
    select ${action === 'unfollow' ? db`false` : db`not exists (select from deleted)`} as is_followed,
           -- The trigger updates the counter after this statement has read it.
           case when ${sharesList(db, 'followers', viewer, 'target')}
                then followers_count - (select count(*) from deleted) + (select count(*) from inserted) else 0 end as followers_count
      from target`
  return status ?? null
}

/** Returns a condition: the viewer follows users `u`. */
export function isFollowed(db: Db, viewer: Viewer | null): Fragment {
  if (viewer === null) return db`false`
  return db`exists (select from follows mine where mine.follower_id = ${viewer.id} and mine.followee_id = u.id)`
}

export function userColumns(db: Db): Fragment {
  return db`u.id, u.username, ${avatarUrl(db, 'u')} as avatar_url, u.is_verified`
}

type FollowRow = FollowEntry & { key: number }

/**
 * Returns a page of a user's followers or followees, or null if the viewer may not see the user. A list that the user hides
 * is empty. A follow is listed if both users share it: the follower whom they follow, and the followee their followers. Users
 * see all whom they follow themselves.
 */
export async function listFollows(
  db: Db,
  direction: 'followers' | 'following',
  id: number,
  viewer: Viewer | null,
  request: PageRequest,
): Promise<{ count: number; rows: FollowRow[] } | null> {
  const [listOwnerId, listedUserId, count] =
    direction === 'followers'
      ? [db`f.followee_id`, db`f.follower_id`, db`owner.followers_count`]
      : [db`f.follower_id`, db`f.followee_id`, db`owner.following_count`]
  const otherList: PrivateList = direction === 'followers' ? 'following' : 'followers'
  const isShown = sharesList(db, direction, viewer, 'owner')
  const isOwnFollowing =
    viewer !== null && direction === 'following' ? db`owner.id = ${viewer.id}` : db`false`
  const rows = await db<(FollowRow & { count: number })[]>`
    select case when ${isShown} then ${count} else 0 end as count, page.*
      from users owner
      left join lateral (
        select ${userColumns(db)}, f.created_at as followed_at, ${isFollowed(db, viewer)} as is_followed,
               ${cursorKey(db, db`f.created_at`)} as key
          from follows f join users u on u.id = ${listedUserId}
         where ${listOwnerId} = owner.id and ${isShown} and u.banned_at is null
           and (${sharesList(db, otherList, viewer)} or ${isOwnFollowing}) ${andNotHidden(db, listedUserId, viewer)}
           ${timeOrderedPage(db, request, db`f.created_at`, listedUserId)}) page on true
     where owner.id = ${id} and owner.banned_at is null and ${canSeeProfile(db, viewer, 'owner')} ${andNotBlockedByOwner(db, db`owner.id`, viewer)}
     order by page.key desc, page.id desc`
  const [first] = rows
  return first === undefined ? null : { count: first.count, rows: rows.filter((row) => row.id !== null) }
}
