/** What the users of a generated site do besides saving and liking: they watch, comment and are notified, two of them a lot. */
import type { Client } from 'pg'
import { type GeneratedSite, isHidden, roles } from './generated-site.ts'

/** Comments on the video that was saved last. */
const commentsOnNewest = 5000
/** Every tenth comment has three replies. */
const repliedComments = 10
const repliesPerComment = 3

const minuteMs = 60_000

export type Activity = ReturnType<typeof drawActivity>

/** Selects the likes whose users also watched or commented. */
export function drawActivity(site: GeneratedSite) {
  const commented = commentedLikes(site)
  const newest = newestListedVideo(site)
  const commentsOf = new Int32Array(site.videoCount)
  for (const like of commented) {
    const video = site.liked[like] as number
    commentsOf[video] = (commentsOf[video] as number) + 1
  }
  commentsOf[newest] = (commentsOf[newest] as number) + commentsOnNewest
  return {
    commentsOf,
    watched: () => watchedRows(site),
    positions: () => positionRows(site),
    comments: () => commentRows(site, commented, newest),
  }
}

/** Yields the user, the id of the video and the time of each like. */
function* likes(site: GeneratedSite): Generator<{ user: number; videoId: number; at: () => number }> {
  for (let like = 0; like < site.likeCount; like++) {
    const user = site.likers[like] as number
    const videoId = site.videoIds[site.liked[like] as number] as number
    yield { user, videoId, at: () => site.likedAt(like) }
  }
}

/** The user who likes most watched all of that, the others a part. */
function* watchedRows(site: GeneratedSite): Generator<(string | number)[]> {
  for (const { user, videoId, at } of likes(site)) {
    if (user === roles.likesMost || videoId % 4 === 0) yield [user, videoId, watchedAt(at())]
  }
}

function* positionRows(site: GeneratedSite): Generator<(string | number)[]> {
  for (const { user, videoId, at } of likes(site)) {
    if (user === roles.likesMost || videoId % 8 === 0) yield [user, videoId, 60, watchedAt(at())]
  }
}

/** An hour after the like. */
function watchedAt(likedAt: number): number {
  return likedAt + 60 * minuteMs
}

/** The first likes of the user who likes most, and as many of others. */
function commentedLikes(site: GeneratedSite): number[] {
  const max = Math.ceil(site.size.bookmarks / 20)
  const ofMost: number[] = []
  const ofOthers: number[] = []
  for (let like = 0; like < site.likeCount; like++) {
    const videoId = site.videoIds[site.liked[like] as number] as number
    if (site.likers[like] === roles.likesMost) {
      if (ofMost.length < max) ofMost.push(like)
    } else if (videoId % 4 === 1 && ofOthers.length < max) ofOthers.push(like)
  }
  return [...ofMost, ...ofOthers]
}

function newestListedVideo(site: GeneratedSite): number {
  for (let id = site.bookmarkCount; id > 0; id--) {
    const video = site.videoOf[id] as number
    if (site.leadOf[video] === id && !isHidden(video)) return video
  }
  throw new Error('No generated bookmark is listed.')
}

/** Comments on likes, then those on the newest video, then replies. */
function* commentRows(
  site: GeneratedSite,
  commented: number[],
  newest: number,
): Generator<(string | number | null)[]> {
  const now = Date.now()
  const count = commented.length + commentsOnNewest
  const comment = (id: number) => {
    const like = commented[id - 1]
    return like === undefined
      ? { video: newest, user: 1 + ((id - commented.length) % site.size.users), at: now }
      : { video: site.liked[like] as number, user: site.likers[like] as number, at: site.likedAt(like) }
  }
  for (let id = 1; id <= count; id++) {
    const { video, user, at } = comment(id)
    const replies = id % repliedComments === 0 ? repliesPerComment : 0
    yield [id, site.videoIds[video] as number, user, null, 'A comment of a few words', replies, at]
  }
  let id = count
  for (let parent = repliedComments; parent <= count; parent += repliedComments) {
    const { video, user, at } = comment(parent)
    for (let reply = 1; reply <= repliesPerComment; reply++) {
      yield [
        ++id,
        site.videoIds[video] as number,
        user,
        parent,
        'A reply of a few words',
        0,
        at + reply * minuteMs,
      ]
    }
  }
}

/** Notifies the first 100 users of the likes of their bookmarks, a minute between them; one half is read. */
export async function addNotifications(client: Client): Promise<void> {
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  // All likes would be read for a merge join.
  await client.query('set local enable_mergejoin = off; set local enable_hashjoin = off')
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
  await client.query('commit')
}
