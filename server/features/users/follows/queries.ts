import type { FollowEntry, FollowStatus } from '@reelmark/contract/follows.ts'
import type { Viewer } from '../../../core/auth/session.ts'
import type { Db, Fragment } from '../../../core/database/database.ts'
import { cursorKey, type PageRequest, timeOrderedPage } from '../../../core/http/cursor-paging.ts'
import { avatarUrl } from '../../../shared/user-columns.ts'
import { andNotBlockedByOwner, andNotHidden } from '../../../shared/user-visibility.ts'

/** Returns the follow status of a user, or null if the viewer may not see the user. */
export async function getFollowStatus(db: Db, viewerId: number, id: number): Promise<FollowStatus | null> {
  const [status] = await db<FollowStatus[]>`
    select exists (select from follows where follower_id = ${viewerId} and followee_id = u.id) as is_followed,
           u.followers_count
      from users u
     where u.id = ${id} and u.banned_at is null and not is_blocked_between(${viewerId}, u.id)`
  return status ?? null
}

/**
 * Follows or unfollows a user, or toggles between the two; null if the viewer may not see the user. Locks both users by
 * id first, like the trigger that counts followers: this prevents deadlocks, and the returned count is current. A
 * concurrent block ends the follow (docs/decisions/0012-blocking-and-muting.md).
 */
export async function setFollow(
  db: Db,
  viewerId: number,
  id: number,
  action: 'follow' | 'unfollow' | 'toggle',
): Promise<FollowStatus | null> {
  const insertion =
    action === 'unfollow'
      ? db`select null where false`
      : db`insert into follows (follower_id, followee_id)
           select ${viewerId}, id from target where not exists (select from deleted)
           on conflict do nothing returning followee_id`
  const [status] = await db<FollowStatus[]>`
    with pair as materialized (
      select id, followers_count, banned_at from users where id in (${viewerId}, ${id}) order by id for no key update
    ), target as (
      select id, followers_count from pair
       where id = ${id} and banned_at is null and not is_blocked_between(${viewerId}, ${id})
    ), deleted as (
      delete from follows f using target
       where f.follower_id = ${viewerId} and f.followee_id = target.id and ${action !== 'follow'}
      returning f.followee_id
    ), inserted as (${insertion})
    select ${action === 'unfollow' ? db`false` : db`not exists (select from deleted)`} as is_followed,
           -- The trigger updates the counter after this statement has read it.
           followers_count - (select count(*) from deleted) + (select count(*) from inserted) as followers_count
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

/** Returns a page of a user's followers or followees, or null if the viewer may not see the user. */
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
  const rows = await db<(FollowRow & { count: number })[]>`
    select ${count} as count, page.*
      from users owner
      left join lateral (
        select ${userColumns(db)}, f.created_at as followed_at, ${isFollowed(db, viewer)} as is_followed,
               ${cursorKey(db, db`f.created_at`)} as key
          from follows f join users u on u.id = ${listedUserId}
         where ${listOwnerId} = owner.id and u.banned_at is null ${andNotHidden(db, listedUserId, viewer)}
           ${timeOrderedPage(db, request, db`f.created_at`, listedUserId)}) page on true
     where owner.id = ${id} and owner.banned_at is null ${andNotBlockedByOwner(db, db`owner.id`, viewer)}
     order by page.key desc, page.id desc`
  const [first] = rows
  return first === undefined ? null : { count: first.count, rows: rows.filter((row) => row.id !== null) }
}
