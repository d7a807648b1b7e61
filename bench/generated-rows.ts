/** The rows of a generated site, with derived columns and counters as the triggers would set them. */
import { hash } from 'node:crypto'
import type { Value } from './binary-rows.ts'
import type { Activity } from './generated-activity.ts'
import { type Counters, createCounters } from './generated-counters.ts'
import {
  bookmarkTags,
  descriptionWords,
  type GeneratedSite,
  isHidden,
  roles,
  seededRandom,
  videoDuration,
  videoHost,
  videoOrientation,
  videoUploader,
  videoUrl,
} from './generated-site.ts'
import { searchVector } from './search-vector.ts'

export interface GeneratedTable {
  name: string
  columns: string
  /** Must be read before those of the next table, which may contain counts of them. */
  rows: Iterable<Value[]>
}

export function generateTables(site: GeneratedSite, activity: Activity): GeneratedTable[] {
  const counters = createCounters(site.size)
  const table = (name: string, columns: string, rows: Iterable<Value[]>) => ({ name, columns, rows })
  return [
    table('videos', videoColumns, videoRows(site, activity)),
    table('bookmarks', bookmarkColumns, bookmarkRows(site, counters)),
    table('likes', 'user_id, video_id, created_at', likeRows(site)),
    table('follows', 'follower_id, followee_id, created_at', followRows(site, counters)),
    table('users', 'id, username, email, followers_count, following_count', counters.users()),
    table('collections', 'id, user_id, name, visible_count, visible_sfw_count', counters.collections()),
    table('channels', 'id, collection_id, name', channelRows(site)),
    table('tags', 'name, uses_count, listed_uses_count, sfw_uses_count', counters.tags()),
    table('user_tags', 'user_id, name, bookmarks_count', counters.userTags()),
    table('listing_counts', 'orientation, count', counters.listings()),
    table('search_words', 'word', counters.searchWords()),
    table('watched_videos', 'user_id, video_id, watched_at', activity.watched()),
    table('playback_positions', 'user_id, video_id, seconds, updated_at', activity.positions()),
    table(
      'comments',
      'id, video_id, user_id, parent_id, content, replies_count, created_at',
      activity.comments(),
    ),
  ]
}

const videoColumns = `id, canonical_url, source_url, host, uploader_name, shape, duration, status, lead_bookmark_id, saves_count,
  likes_count, comments_count, thumbnail_key, thumbnail_large_key, thumbnail_state, created_at`

function* videoRows(site: GeneratedSite, { commentsOf }: Activity): Generator<Value[]> {
  for (let video = 0; video < site.videoCount; video++) {
    const url = videoUrl(video)
    const videoId = site.videoIds[video] as number
    const key = videoId.toString(16).padEnd(32, '0')
    yield [
      videoId,
      url,
      url,
      videoHost(video),
      videoUploader(video),
      'landscape',
      videoDuration(video),
      isHidden(video) ? 'hidden' : 'visible',
      site.leadOf[video] || null,
      site.savesOf[video] as number,
      site.likesOf[video] as number,
      commentsOf[video] as number,
      `${key}01234567.webp`,
      `${key}76543210.webp`,
      'ready',
      site.savedAt(site.leadOf[video] as number),
    ]
  }
}

const bookmarkColumns = `id, user_id, video_id, collection_id, channel_id, title, description, tags, access, orientation,
  effective_orientation, is_public, is_visible, is_listed, lead_bookmark_id, lead_created_at, lead_orientation,
  effective_duration, lead_duration, random_key, search_vector, lacks_player, created_at, updated_at`

function* bookmarkRows(site: GeneratedSite, counters: Counters): Generator<Value[]> {
  for (let id = 1; id <= site.bookmarkCount; id++) {
    const video = site.videoOf[id] as number
    const user = site.userOf[id] as number
    const videoId = site.videoIds[video] as number
    const [title, description, tags] = [site.titleWords(video), descriptionWords(video), bookmarkTags(id)]
    const orientation = videoOrientation(video)
    const isPublic = site.isPublic[id] === 1
    const isVisible = isPublic && !isHidden(video)
    const lead = site.leadOf[video] as number
    const isListed = isVisible && lead === id
    const savedAt = site.savedAt(id)
    const vector = {
      title,
      description,
      tags,
      username: `person${user}`,
      host: videoHost(video),
      uploader: videoUploader(video),
    }
    counters.countBookmark({ user, tags, orientation, isVisible, isListed })
    yield [
      id,
      user,
      videoId,
      user,
      id % 2 === 0 ? user : null,
      title.join(' '),
      description.join(' '),
      tags,
      isPublic ? 'public' : 'private',
      orientation,
      orientation,
      isPublic,
      isVisible,
      isListed,
      isVisible ? lead : null,
      isVisible ? site.savedAt(lead) : null,
      isVisible ? orientation : null,
      videoDuration(video),
      isVisible ? videoDuration(video) : null,
      randomKey(videoId),
      searchVector(vector),
      // No video has an embed URL.
      true,
      savedAt,
      savedAt,
    ]
  }
}

/** Computes video_random_key(). */
function randomKey(videoId: number): number {
  return Number.parseInt(hash('md5', String(videoId)).slice(0, 13), 16) / 2 ** 52
}

function* likeRows(site: GeneratedSite): Generator<Value[]> {
  for (let like = 0; like < site.likeCount; like++) {
    yield [
      site.likers[like] as number,
      site.videoIds[site.liked[like] as number] as number,
      site.likedAt(like),
    ]
  }
}

/** Most users follow a dozen others, mostly those who saved much. */
function* followRows(site: GeneratedSite, counters: Counters): Generator<Value[]> {
  const { users } = site.size
  const random = seededRandom(5)
  for (let follower = 1; follower <= users; follower++) {
    const followed = new Set<number>()
    const wished = follower === roles.follows500 ? 500 : follower === roles.follows10000 ? 10_000 : 12
    const count = Math.min(wished, Math.floor(users / 3))
    while (followed.size < count) followed.add(1 + Math.floor(users * random() ** 2))
    followed.delete(follower)
    for (const followee of followed) {
      counters.countFollow(follower, followee)
      yield [follower, followee, site.time(1 - random())]
    }
  }
}

/** Each collection has one channel, with the same id. */
function* channelRows({ size }: GeneratedSite): Generator<Value[]> {
  for (let user = 1; user <= size.users; user++) yield [user, user, 'General']
}
