import type { Profile } from '@reelmark/contract/profiles.ts'
import type { Db } from '../../core/database.ts'
import { avatarUrl } from './cards.ts'

type OwnSettings = Pick<
  Required<Profile>,
  | 'email'
  | 'default_bookmark_orientation'
  | 'default_bookmark_collection'
  | 'notify_on_follow'
  | 'notify_on_own_video_bookmarked'
  | 'notify_on_new_bookmark_from_followed_user'
  | 'notify_on_own_video_liked'
>

/**
 * A user as `viewerId` (null: a visitor) may see them; null where nobody of that name is there, or they are banned.
 * Counts tell of nothing that the viewer could not find, and stop at 10,000. `settings` is the owner's alone.
 */
export async function getProfile(
  db: Db,
  username: string,
  viewerId: number | null,
): Promise<(Omit<Profile, keyof OwnSettings> & { settings: OwnSettings | null }) | null> {
  const [profile] = await db<(Omit<Profile, keyof OwnSettings> & { settings: OwnSettings | null })[]>`
    select u.id as user_id, u.id, u.username, ${avatarUrl(db, 'u')} as avatar_url, u.bio,
           u.is_verified, u.is_moderator, u.created_at, u.followers_count, u.following_count,
           case when u.id = ${viewerId}::bigint
             then (select count(*) from (
               select from bookmarks b where b.user_id = u.id and b.deleted_at is null limit 10000) own)
             else (select count(*) from (
               select from bookmarks b where b.user_id = u.id and b.is_visible limit 10000) visible)
           end as bookmarks_count,
           (select count(*) from (
             select from likes l join videos v on v.id = l.video_id
              where l.user_id = u.id and v.status = 'visible' and v.lead_bookmark_id is not null
              limit 10000) liked) as likes_count,
           exists (select from follows f where f.follower_id = ${viewerId}::bigint and f.followee_id = u.id)
             as is_followed,
           case when u.id = ${viewerId}::bigint then json_build_object(
             'email', u.email,
             'default_bookmark_orientation', u.default_bookmark_orientation,
             'default_bookmark_collection', u.default_bookmark_collection,
             'notify_on_follow', u.notify_on_follow,
             'notify_on_own_video_bookmarked', u.notify_on_own_video_bookmarked,
             'notify_on_new_bookmark_from_followed_user', u.notify_on_new_bookmark_from_followed_user,
             'notify_on_own_video_liked', u.notify_on_own_video_liked) end as settings
      from users u
     where lower(u.username) = lower(${username}) and u.banned_at is null`
  return profile ?? null
}
