/** What the users of a generated site do besides saving and liking: they watch, comment and are notified, two of them a lot. */
import type { Client } from 'pg'
import { roles, type SiteSize } from './generated-site.ts'

/** Comments on the video that was saved last. */
const commentsOnNewest = 5000

/** Adds the rows to a generated site, without triggers, with the counters that the triggers would set. */
export async function addActivity(client: Client, { users, bookmarks }: SiteSize): Promise<void> {
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  await client.query('truncate watched_videos, playback_positions, comments, notifications cascade')
  // The user who likes most watched all of that, the others a part.
  await client.query(
    `insert into watched_videos (user_id, video_id, watched_at)
     select user_id, video_id, created_at + interval '1 hour' from likes where user_id = $1 or video_id % 4 = 0`,
    [roles.likesMost],
  )
  await client.query(
    `insert into playback_positions (user_id, video_id, seconds, updated_at)
     select user_id, video_id, 60, watched_at from watched_videos where user_id = $1 or video_id % 8 = 0`,
    [roles.likesMost],
  )
  await addComments(client, users, bookmarks)
  await addNotifications(client)
  await client.query('commit')
}

async function addComments(client: Client, users: number, bookmarks: number): Promise<void> {
  await client.query(
    `insert into comments (video_id, user_id, content, created_at)
     select video_id, user_id, 'A comment of a few words', created_at from (
       (select video_id, user_id, created_at from likes where user_id = $1 limit $2)
       union all
       (select video_id, user_id, created_at from likes where user_id <> $1 and video_id % 4 = 1 limit $2)
       union all
       select (select video_id from bookmarks where is_listed order by created_at desc, id desc limit 1), 1 + n % $3, now()
         from generate_series(1, $4::int) n) commented`,
    [roles.likesMost, Math.ceil(bookmarks / 20), users, commentsOnNewest],
  )
  await client.query(`
    insert into comments (video_id, user_id, parent_id, content, created_at)
    select video_id, user_id, id, 'A reply of a few words', created_at + n * interval '1 minute'
      from comments cross join generate_series(1, 3) n where id % 10 = 0`)
  await client.query(`
    update comments c set replies_count = counted.amount
      from (select parent_id, count(*) as amount from comments group by parent_id) counted where counted.parent_id = c.id`)
  await client.query(`
    update videos v set comments_count = counted.amount
      from (select video_id, count(*) as amount from comments where parent_id is null group by video_id) counted
     where counted.video_id = v.id`)
}

/** The first 100 users are notified of the likes of their bookmarks, a minute between them; one half is read. */
async function addNotifications(client: Client): Promise<void> {
  await client.query(`
    insert into notifications (user_id, kind, video_id, last_event_at, read_at)
    select user_id, 'own_video_liked', video_id,
           now() - row_number() over (partition by user_id) * interval '1 minute', case when video_id % 2 = 0 then now() end
      from (select distinct user_id, video_id from bookmarks where user_id <= 100) own
     where exists (select from likes l where l.video_id = own.video_id and l.user_id <> own.user_id)`)
  await client.query(`
    insert into notification_actors (notification_id, actor_id, created_at)
    select n.id, l.user_id, n.last_event_at from notifications n
     cross join lateral (select user_id from likes where video_id = n.video_id and user_id <> n.user_id limit 3) l`)
}
