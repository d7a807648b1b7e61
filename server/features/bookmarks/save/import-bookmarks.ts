/** Saves many bookmarks of one user in one transaction, for an import. Each follows the rules of a single save. */
import type { SaveInput } from '@reelmark/contract/bookmarks.ts'
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import { type MetadataTexts, metadataTextNames } from '@reelmark/contract/video-facts.ts'
import type { Db } from '../../../core/database/database.ts'
import type { Deps } from '../../../core/deps.ts'
import { InvalidFields } from '../../../core/http/errors.ts'
import { ownHosts } from '../../../core/video-links/entered-links.ts'
import { isAdultLink } from '../../../core/video-links/recognise-video.ts'
import { createYield } from '../../../core/yield.ts'
import { type OrderedList, orderKey } from '../../../shared/order-keys.ts'
import { fetchThumbnailJob } from '../../../shared/thumbnails.ts'
import { bookmarkParts, type CompiledRules, screenContent } from '../../moderation/public-api.ts'
import { factColumns } from '../facts.ts'
import { type UpsertedVideo, upsertVideo } from './queries.ts'
import { buildSave, type NewVideo } from './rules.ts'

export interface BookmarkImport extends Partial<MetadataTexts> {
  video: SaveInput['video']
  /** Blank: the video's. */
  title: string
  tags: string[]
  access: 'public' | 'private'
  start_seconds?: number | null
  private_note: string
  /** Where it is in the manual order of its collection and channel. By default, where its time puts it. */
  collection_order_key?: string | null
  channel_order_key?: string | null
  /** A timestamp as PostgreSQL reads it; not in the future. */
  created_at: string
  collection_id: number
  channel_id: number | null
}

export interface ImportResult {
  added: number
  /** How many were in their collection or channel already. */
  duplicates: number
  /** The bookmarks that could not be saved, by index, and the reason. */
  refused: { index: number; reason: string }[]
  /** The indexes of the public bookmarks that a content rule holds. */
  held: number[]
}

interface PlannedBookmark extends Omit<BookmarkImport, 'video' | 'start_seconds'> {
  index: number
  video: NewVideo
  orientation: Orientation
  hold_reason: string | null
  start_seconds: number | null
}

/**
 * Saves bookmarks in the user's own collections with their original times. Bookmarks that exist already stay unchanged.
 * Locks are taken in the usual order: collections, videos by id, then the new videos by link, bookmarks.
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
  const hosts = ownHosts(settings.publicUrl)
  const letOthersRun = createYield()
  for (const [index, bookmark] of bookmarks.entries()) {
    await letOthersRun()
    const destination = destinations.get(bookmark.collection_id)
    if (
      destination === undefined ||
      (bookmark.channel_id !== null && !destination.channels.has(bookmark.channel_id))
    ) {
      refused.push({ index, reason: 'That collection no longer exists.' })
      continue
    }
    const plan = collectRefusal(refused, index, () => {
      const input = { video: orientFor(bookmark.video, defaultOrientation), bookmark }
      const { video, bookmark: columns } = buildSave(input, hosts, bookmark.access)
      return {
        ...columns,
        video,
        hold_reason: screenContent(rules, bookmarkParts({ video, bookmark: columns }, input)),
      }
    })
    if (plan !== null) planned.push({ ...bookmark, index, ...plan })
  }

  const videos = new Map<string, number>()
  const own = new Map<number, UpsertedVideo['own']>()
  await lockVideos(tx, [...new Set(planned.map(({ video }) => video.identity.canonical_url))])
  for (const [link, saves] of groupByLink(planned)) {
    for (const { index, video, access, collection_id, hold_reason } of saves) {
      const isPublic =
        access === 'public' && destinations.get(collection_id)?.access === 'public' && hold_reason === null
      try {
        const saved = await upsertVideo(tx, video, { isPublic, extracted: null })
        videos.set(link, saved.id)
        own.set(index, saved.own)
        // Not urgent, so that the thumbnails of users who wait are fetched first.
        if (saved.wants_picture)
          await jobs.send(tx, fetchThumbnailJob, { video_id: saved.id }, { isUrgent: false })
      } catch (error) {
        if (!(error instanceof InvalidFields)) throw error
        refused.push({ index, reason: errorTexts(error.body)[0] ?? '' })
      }
    }
  }

  const rows = planned.flatMap(({ video, index, ...row }) => {
    const facts = own.get(index)
    if (facts === undefined) return []
    return [{ ...row, ...facts, video_id: videos.get(video.identity.canonical_url) }]
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

/** Returns the result of `build`, or null if it refuses the bookmark; the refusal is added to `refused`. */
function collectRefusal<T>(refused: ImportResult['refused'], index: number, build: () => T): T | null {
  try {
    return build()
  } catch (error) {
    if (!(error instanceof InvalidFields)) throw error
    refused.push({ index, reason: errorTexts(error.body)[0] ?? '' })
    return null
  }
}

/**
 * Replaces `sfw` for a link to an adult site, which files from before the site was known as one may contain, by the user's
 * default orientation. If that is `sfw`, too, buildSave() refuses the bookmark.
 */
function orientFor(video: SaveInput['video'], defaultOrientation: Orientation): SaveInput['video'] {
  const isWrong = video.orientation === 'sfw' && [video.source_url, video.embed_url ?? null].some(isAdultLink)
  return isWrong ? { ...video, orientation: defaultOrientation } : video
}

/** Groups by link, in the order of the links, so that two imports of the same new videos cannot deadlock. */
function groupByLink(planned: PlannedBookmark[]): [string, PlannedBookmark[]][] {
  const groups = Map.groupBy(planned, ({ video }) => video.identity.canonical_url)
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Locks the collections and channels of the bookmarks and returns the user's own ones by collection id. */
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
        channels: new Set(
          channels.filter(({ collection_id }) => collection_id === id).map((channel) => channel.id),
        ),
      },
    ]),
  )
}

async function lockVideos(tx: Db, links: string[]): Promise<void> {
  await tx`
    select from videos where canonical_hash in (select url_hash(link) from unnest(${links}::text[]) link)
     order by id for no key update`
}

/**
 * Inserts the bookmarks that do not exist yet. Sends times as text, because the driver's dates have only milliseconds. Order
 * keys that another bookmark of the list has are dropped, because moves need neighbours with different keys.
 */
async function insertBookmarks(tx: Db, userId: number, rows: OrderedRow[]) {
  if (rows.length === 0) return []
  const columns = tx.unsafe(insertedColumns.join(', '))
  const freeKey = (kind: OrderedList['kind']) => {
    const [id, key] = [tx(`${kind}_id`), tx(`${kind}_order_key`)]
    return tx`case when not exists (
      select from bookmarks b where b.${id} = r.${id} and ${orderKey(tx, kind)} = r.${key}) then r.${key} end`
  }
  return tx<{ id: number; wants_picture: boolean }[]>`
    insert into bookmarks (user_id, updated_at, ${columns}, collection_order_key, channel_order_key)
    select ${userId}, created_at, ${columns}, ${freeKey('collection')}, ${freeKey('channel')}
      from jsonb_populate_recordset(null::bookmarks, ${JSON.stringify(withoutEqualKeys(rows))}::text::jsonb) r
    on conflict (user_id, video_id, collection_id, channel_id) where deleted_at is null do nothing
    returning id, thumbnail_state = 'pending' as wants_picture`
}

type OrderedRow = Pick<
  BookmarkImport,
  'collection_id' | 'channel_id' | 'collection_order_key' | 'channel_order_key'
>

/** Drops the order keys that an earlier row has in the same list. */
function withoutEqualKeys(rows: OrderedRow[]): OrderedRow[] {
  const used = new Set<string>()
  const firstUse = (kind: OrderedList['kind'], id: number | null, key: string | null | undefined) => {
    if (id === null || key === null || key === undefined) return null
    const keyInList = `${kind} ${id} ${key}`
    if (used.has(keyInList)) return null
    used.add(keyInList)
    return key
  }
  return rows.map((row) => ({
    ...row,
    collection_order_key: firstUse('collection', row.collection_id, row.collection_order_key),
    channel_order_key: firstUse('channel', row.channel_id, row.channel_order_key),
  }))
}

const insertedColumns = [
  'video_id',
  'collection_id',
  'channel_id',
  'title',
  'tags',
  'orientation',
  'access',
  'private_note',
  ...metadataTextNames,
  ...factColumns,
  'thumbnail_state',
  'hold_reason',
  'start_seconds',
  'created_at',
]
