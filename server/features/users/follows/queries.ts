import type { FollowEntry, FollowStatus } from '@reelmark/contract/follows.ts'
import type { Db, Fragment } from '../../../core/database/database.ts'
import { cursorKey, type PageRequest, timeOrderedPage } from '../../../core/http/cursor-paging.ts'
import { avatarUrl } from '../../../shared/user-columns.ts'
import { andNotBlockedByOwner, andNotHidden, type VisibilityViewer } from '../../../shared/user-visibility.ts'

/** Null where nobody of that id is there for the viewer. */
export async function getFollowStatus(db: Db, me: number, id: number): Promise<FollowStatus | null> {
  const [status] = await db<FollowStatus[]>`
    select exists (select from follows where follower_id = ${me} and followee_id = u.id) as is_followed,
           u.followers_count
      from users u
     where u.id = ${id} and u.banned_at is null and not is_blocked_between(${me}, u.id)`
  return status ?? null
}

/**
 * Follows somebody, follows them no more, or does the other of what is; null where nobody of that id is there for the
 * viewer. Both people are locked first, in the order in which the trigger does that counts them: nobody waits in a
 * circle, and the count is that of the moment. A block that comes in between ends the follow
 * (docs/decisions/0012-blocking-and-muting.md).
 */
export async function setFollow(
  db: Db,
  me: number,
  id: number,
  to: 'follow' | 'unfollow' | 'toggle',
): Promise<FollowStatus | null> {
  const created =
    to === 'unfollow'
      ? db`select null where false`
      : db`insert into follows (follower_id, followee_id)
           select ${me}, id from them where not exists (select from gone)
           on conflict do nothing returning followee_id`
  const [status] = await db<FollowStatus[]>`
    with pair as materialized (
      select id, followers_count, banned_at from users where id in (${me}, ${id}) order by id for no key update
    ), them as (
      select id, followers_count from pair
       where id = ${id} and banned_at is null and not is_blocked_between(${me}, ${id})
    ), gone as (
      delete from follows f using them
       where f.follower_id = ${me} and f.followee_id = them.id and ${to !== 'follow'}
      returning f.followee_id
    ), made as (${created})
    select ${to === 'unfollow' ? db`false` : db`not exists (select from gone)`} as is_followed,
           -- The trigger moves the counter after this statement has read it.
           followers_count - (select count(*) from gone) + (select count(*) from made) as followers_count
      from them`
  return status ?? null
}

/** Whether the viewer follows users `u`. */
export function isFollowed(db: Db, viewer: VisibilityViewer | null): Fragment {
  if (viewer === null) return db`false`
  return db`exists (select from follows mine where mine.follower_id = ${viewer.id} and mine.followee_id = u.id)`
}

export function userColumns(db: Db): Fragment {
  return db`u.id, u.username, ${avatarUrl(db, 'u')} as avatar_url, u.is_verified`
}

type FollowRow = FollowEntry & { key: number }

/** Who follows somebody, or whom they follow; null where nobody of that id is there for the viewer. */
export async function listFollows(
  db: Db,
  which: 'followers' | 'following',
  id: number,
  viewer: VisibilityViewer | null,
  part: PageRequest,
): Promise<{ count: number; rows: FollowRow[] } | null> {
  const [own, other, count] =
    which === 'followers'
      ? [db`f.followee_id`, db`f.follower_id`, db`owner.followers_count`]
      : [db`f.follower_id`, db`f.followee_id`, db`owner.following_count`]
  const rows = await db<(FollowRow & { count: number })[]>`
    select ${count} as count, page.*
      from users owner
      left join lateral (
        select ${userColumns(db)}, f.created_at as followed_at, ${isFollowed(db, viewer)} as is_followed,
               ${cursorKey(db, db`f.created_at`)} as key
          from follows f join users u on u.id = ${other}
         where ${own} = owner.id and u.banned_at is null ${andNotHidden(db, other, viewer)}
           ${timeOrderedPage(db, part, db`f.created_at`, other)}) page on true
     where owner.id = ${id} and owner.banned_at is null ${andNotBlockedByOwner(db, db`owner.id`, viewer)}
     order by page.key desc, page.id desc`
  const [first] = rows
  return first === undefined ? null : { count: first.count, rows: rows.filter((row) => row.id !== null) }
}
