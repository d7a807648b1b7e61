/** Saves many bookmarks of one user in one transaction, for an import. Each follows the rules of a single save. */
import type { SaveInput } from '@reelmark/contract/bookmarks.ts'
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import { type MetadataTexts, metadataTextNames } from '@reelmark/contract/video-facts.ts'
import type { Db } from '../../../core/database/database.ts'
import type { Jobs } from '../../../core/database/jobs.ts'
import type { Deps } from '../../../core/deps.ts'
import { InvalidFields } from '../../../core/http/errors.ts'
import { ownHosts } from '../../../core/video-links/entered-links.ts'
import { isAdultLink } from '../../../core/video-links/recognise-video.ts'
import { createYield } from '../../../core/yield.ts'
import { type OrderedList, orderKey } from '../../../shared/order-keys.ts'
import { fetchThumbnailJob } from '../../../shared/thumbnails.ts'
import { bookmarkParts, type CompiledRules, screenContent } from '../../moderation/public-api.ts'
import { factColumns } from '../facts.ts'
import type { ThumbnailOwner } from '../thumbnails/thumbnail-queries.ts'
import { buildSave, type NewVideo } from './rules.ts'
import { removedVideoError, type UpsertedVideo, upsertVideos } from './upsert-videos.ts'

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

export type BookmarkOutcome =
  /** `held`: it is public, and a content rule holds it. `changed_orientation`: its site is for adults, and it was `sfw`. */
  | { outcome: 'added'; id: number; held: boolean; changed_orientation: Orientation | null }
  /** It was in its collection or channel already. */
  | { outcome: 'duplicate' }
  | { outcome: 'refused'; reason: string }

interface PlannedBookmark extends Omit<BookmarkImport, 'video' | 'start_seconds'> {
  index: number
  video: NewVideo
  orientation: Orientation
  hold_reason: string | null
  /** Whether it and its collection are public. */
  is_shared: boolean
  start_seconds: number | null
}

/**
 * Saves bookmarks in the user's own collections with their original times, and returns the outcome of each. Bookmarks that exist
 * already stay unchanged. Locks are taken in the usual order: collections, videos by id, then the new videos by link, bookmarks.
 */
export async function importBookmarks(
  tx: Db,
  { jobs, settings, rules }: Pick<Deps, 'jobs' | 'settings'> & { rules: CompiledRules },
  userId: number,
  bookmarks: readonly BookmarkImport[],
): Promise<BookmarkOutcome[]> {
  const outcomes = new Map<number, BookmarkOutcome>()
  const refuse = (index: number, reason: string) => outcomes.set(index, { outcome: 'refused', reason })
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
      refuse(index, 'That collection no longer exists.')
      continue
    }
    try {
      const input = { video: orientFor(bookmark.video, defaultOrientation), bookmark }
      const { video, bookmark: columns } = buildSave(input, hosts, bookmark.access)
      const hold_reason = screenContent(rules, bookmarkParts({ video, bookmark: columns }, input))
      const is_shared = bookmark.access === 'public' && destination.access === 'public'
      planned.push({ ...bookmark, ...columns, index, video, hold_reason, is_shared })
    } catch (error) {
      if (!(error instanceof InvalidFields)) throw error
      refuse(index, errorTexts(error.body)[0] ?? '')
    }
  }
  const videos = await upsertVideos(
    tx,
    planned.map(({ video, is_shared, hold_reason }) => ({
      video,
      isPublic: is_shared && hold_reason === null,
      extracted: null,
    })),
  )
  const rows: BookmarkRow[] = []
  for (const [position, plan] of planned.entries()) {
    const { video: _, ...row } = plan
    const saved = videos[position]
    if (saved == null) refuse(plan.index, errorTexts(removedVideoError().body)[0] ?? '')
    else rows.push({ ...row, ...saved.own, video_id: saved.id })
  }
  const added = await insertBookmarks(tx, userId, rows)
  const idByDestination = new Map(added.map((row) => [destinationKey(row), row.id]))
  for (const { index, orientation, is_shared, hold_reason, ...row } of rows) {
    const id = idByDestination.get(destinationKey(row))
    // Of several rows of one video for one destination, the first was added.
    idByDestination.delete(destinationKey(row))
    const changed = bookmarks[index]?.video.orientation !== orientation
    outcomes.set(
      index,
      id === undefined
        ? { outcome: 'duplicate' }
        : {
            outcome: 'added',
            id,
            held: is_shared && hold_reason !== null,
            changed_orientation: changed ? orientation : null,
          },
    )
  }
  const ownPictures = added.filter(({ wants_picture }) => wants_picture).map(({ id }) => id)
  await requestPictures(tx, jobs, videos, ownPictures)
  return bookmarks.map((_, index) => outcomes.get(index) ?? { outcome: 'duplicate' })
}

/** Requests the pictures of videos and new bookmarks. They are not urgent: those of users who wait are fetched first. */
async function requestPictures(
  tx: Db,
  jobs: Jobs,
  videos: readonly (UpsertedVideo | null)[],
  bookmarkIds: readonly number[],
): Promise<void> {
  const videoIds = new Set(videos.flatMap((video) => (video?.wants_picture ? [video.id] : [])))
  const owners: ThumbnailOwner[] = [
    ...[...videoIds].map((id) => ({ video_id: id })),
    ...bookmarkIds.map((id) => ({ bookmark_id: id })),
  ]
  await jobs.sendMany(tx, fetchThumbnailJob, owners, { isUrgent: false })
}

/**
 * Replaces `sfw` for a link to an adult site, which files from before the site was known as one may contain, by the user's
 * default orientation. If that is `sfw`, too, buildSave() refuses the bookmark.
 */
function orientFor(video: SaveInput['video'], defaultOrientation: Orientation): SaveInput['video'] {
  const isWrong = video.orientation === 'sfw' && [video.source_url, video.embed_url ?? null].some(isAdultLink)
  return isWrong ? { ...video, orientation: defaultOrientation } : video
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

/**
 * Inserts the bookmarks that do not exist yet. Sends times as text, because the driver's dates have only milliseconds. Order
 * keys that another bookmark of the list has are dropped, because moves need neighbours with different keys.
 */
async function insertBookmarks(tx: Db, userId: number, rows: BookmarkRow[]): Promise<InsertedBookmark[]> {
  if (rows.length === 0) return []
  const columns = tx.unsafe(insertedColumns.join(', '))
  const freeKey = (kind: OrderedList['kind']) => {
    const [id, key] = [tx(`${kind}_id`), tx(`${kind}_order_key`)]
    return tx`case when not exists (
      select from bookmarks b where b.${id} = r.${id} and ${orderKey(tx, kind)} = r.${key}) then r.${key} end`
  }
  return tx<InsertedBookmark[]>`
    insert into bookmarks (user_id, updated_at, ${columns}, collection_order_key, channel_order_key)
    select ${userId}, created_at, ${columns}, ${freeKey('collection')}, ${freeKey('channel')}
      from jsonb_populate_recordset(null::bookmarks, ${JSON.stringify(withoutEqualKeys(rows))}::text::jsonb) r
    on conflict (user_id, video_id, collection_id, channel_id) where deleted_at is null do nothing
    returning id, video_id, collection_id, channel_id, thumbnail_state = 'pending' as wants_picture`
}

interface BookmarkDestination {
  video_id: number
  collection_id: number
  channel_id: number | null
}

interface InsertedBookmark extends BookmarkDestination {
  id: number
  wants_picture: boolean
}

type BookmarkRow = Omit<PlannedBookmark, 'video'> & UpsertedVideo['own'] & BookmarkDestination

function destinationKey({ video_id, collection_id, channel_id }: BookmarkDestination): string {
  return `${video_id} ${collection_id} ${channel_id}`
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
