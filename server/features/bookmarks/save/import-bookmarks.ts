/** Many saves of one person in one transaction: an import. The rules of each are those of a single save. */
import type { SaveInput } from '@reelmark/contract/bookmarks.ts'
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import type { Db } from '../../../core/database/database.ts'
import type { Deps } from '../../../core/deps.ts'
import { InvalidFields } from '../../../core/http/errors.ts'
import { isAdultLink } from '../../../core/video-links/recognise-video.ts'
import { bookmarkParts, type CompiledRules, screenContent } from '../../moderation/public-api.ts'
import { type Facts, factColumns } from '../facts.ts'
import { fetchThumbnailJob } from '../thumbnails/jobs.ts'
import { upsertVideo } from './queries.ts'
import { buildSave, type NewVideo, ownHosts } from './rules.ts'

export interface BookmarkImport {
  video: SaveInput['video']
  title: string
  description: string
  tags: string[]
  access: 'public' | 'private'
  /** As PostgreSQL reads it; not in the future. */
  created_at: string
  collection_id: number
  channel_id: number | null
}

export interface ImportResult {
  added: number
  duplicates: number
  /** Which of them could not be kept, by their number, and why. */
  refused: { index: number; why: string }[]
  /** Which of them wait for a moderator: those that others would see. */
  held: number[]
}

interface PlannedBookmark extends Omit<BookmarkImport, 'video'> {
  index: number
  video: NewVideo
  orientation: Orientation
  hold_reason: string | null
}

/**
 * Keeps bookmarks in places of one's own, with the times they had. What is there already stays as it is. Locks are
 * taken in the order of all: collections, videos by id, then the new ones by their links, bookmarks.
 */
export async function importBookmarks(
  tx: Db,
  { jobs, settings, rules }: Pick<Deps, 'jobs' | 'settings'> & { rules: CompiledRules },
  userId: number,
  bookmarks: readonly BookmarkImport[],
): Promise<ImportResult> {
  const refused: ImportResult['refused'] = []
  const destinations = await lockDestinations(tx, userId, bookmarks)
  const [{ defaultOrientation }] = await tx<[{ defaultOrientation: Orientation }]>`
    select default_bookmark_orientation as "defaultOrientation" from users where id = ${userId}`
  const planned: PlannedBookmark[] = []
  bookmarks.forEach((bookmark, index) => {
    const destination = destinations.get(bookmark.collection_id)
    if (
      destination === undefined ||
      (bookmark.channel_id !== null && !destination.channels.has(bookmark.channel_id))
    ) {
      refused.push({ index, why: 'That collection no longer exists.' })
      return
    }
    const plan = collectRefusal(refused, index, () => {
      const input = { video: orientFor(bookmark.video, defaultOrientation), bookmark: metadataOf(bookmark) }
      const { video, bookmark: columns } = buildSave(input, ownHosts(settings.publicUrl))
      return {
        ...columns,
        video,
        hold_reason: screenContent(rules, bookmarkParts({ video, bookmark: columns }, input)),
      }
    })
    if (plan !== null) planned.push({ ...bookmark, index, ...plan })
  })

  const videos = new Map<string, number>()
  const own = new Map<number, Facts>()
  await lockVideos(tx, [...new Set(planned.map(({ video }) => video.identity.canonical_url))])
  for (const [link, saves] of groupByLink(planned)) {
    for (const { index, video, access, collection_id, hold_reason } of saves) {
      const isPublic =
        access === 'public' && destinations.get(collection_id)?.access === 'public' && hold_reason === null
      try {
        const saved = await upsertVideo(tx, video, { isPublic, extracted: null })
        videos.set(link, saved.id)
        own.set(index, saved.own)
        // Behind the thumbnails that users wait for.
        if (saved.wants_picture)
          await jobs.send(tx, fetchThumbnailJob, { video_id: saved.id }, { isUrgent: false })
      } catch (error) {
        if (!(error instanceof InvalidFields)) throw error
        refused.push({ index, why: errorTexts(error.body)[0] ?? '' })
      }
    }
  }

  const rows = planned.flatMap(({ video, index, ...row }) => {
    const facts = own.get(index)
    if (facts === undefined) return []
    const thumbnail_state = facts.thumbnail_source_url === null ? 'none' : 'pending'
    return [{ ...row, ...facts, thumbnail_state, video_id: videos.get(video.identity.canonical_url) }]
  })
  const added = await insertBookmarks(tx, userId, rows)
  for (const { id, wants_picture } of added) {
    if (wants_picture) await jobs.send(tx, fetchThumbnailJob, { bookmark_id: id }, { isUrgent: false })
  }
  const held = planned.filter(
    ({ hold_reason, access, collection_id }) =>
      hold_reason !== null && access === 'public' && destinations.get(collection_id)?.access === 'public',
  )
  return {
    added: added.length,
    duplicates: rows.length - added.length,
    refused,
    held: held.map(({ index }) => index),
  }
}

/** What a rule answers, or null where it refuses: then why is noted. */
function collectRefusal<T>(refused: ImportResult['refused'], index: number, rule: () => T): T | null {
  try {
    return rule()
  } catch (error) {
    if (!(error instanceof InvalidFields)) throw error
    refused.push({ index, why: errorTexts(error.body)[0] ?? '' })
    return null
  }
}

/** The owner's metadata of a bookmark; a blank title in a file means the video's. */
function metadataOf({ title, description, tags, access }: BookmarkImport) {
  return { title, description, tags, access }
}

/**
 * A file may have `sfw` for a link to an adult site: from an earlier version, or from before the site was known as one.
 * The user's default orientation takes its place if that is an adult one; otherwise planSave() refuses the bookmark.
 */
function orientFor(video: SaveInput['video'], defaultOrientation: Orientation): SaveInput['video'] {
  const isWrong = video.orientation === 'sfw' && [video.source_url, video.embed_url ?? null].some(isAdultLink)
  return isWrong ? { ...video, orientation: defaultOrientation } : video
}

/** In the order of their links, so that two imports of the same new videos wait for each other without a deadlock. */
function groupByLink(planned: PlannedBookmark[]): [string, PlannedBookmark[]][] {
  const groups = Map.groupBy(planned, ({ video }) => video.identity.canonical_url)
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
}

async function lockDestinations(tx: Db, userId: number, bookmarks: readonly BookmarkImport[]) {
  const collections = await tx<{ id: number; access: string }[]>`
    select id, access from collections
     where user_id = ${userId} and id = any (${bookmarks.map(({ collection_id }) => collection_id)})
     order by id for no key update`
  const channels = await tx<{ id: number; collection_id: number }[]>`
    select id, collection_id from channels
     where id = any (${bookmarks.flatMap(({ channel_id }) => channel_id ?? [])}) order by id for key share`
  return new Map(
    collections.map(({ id, access }) => [
      id,
      {
        access,
        channels: new Set(channels.filter((each) => each.collection_id === id).map((each) => each.id)),
      },
    ]),
  )
}

async function lockVideos(tx: Db, links: string[]): Promise<void> {
  await tx`
    select from videos where canonical_hash in (select url_hash(link) from unnest(${links}::text[]) link)
     order by id for no key update`
}

/** Inserts those that are not there. Times are sent as text, because the driver's dates have milliseconds only. */
async function insertBookmarks(tx: Db, userId: number, rows: object[]) {
  if (rows.length === 0) return []
  const columns = tx.unsafe(insertedColumns.join(', '))
  return tx<{ id: number; wants_picture: boolean }[]>`
    insert into bookmarks (user_id, updated_at, ${columns})
    select ${userId}, created_at, ${columns}
      from jsonb_populate_recordset(null::bookmarks, ${JSON.stringify(rows)}::text::jsonb)
    on conflict (user_id, video_id, collection_id, channel_id) where deleted_at is null do nothing
    returning id, thumbnail_state = 'pending' as wants_picture`
}

const insertedColumns = [
  ...['video_id', 'collection_id', 'channel_id', 'title', 'description', 'tags', 'orientation', 'access'],
  ...factColumns,
  ...['thumbnail_state', 'hold_reason', 'created_at'],
]
