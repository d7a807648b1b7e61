/** Reads the bookmarks and folders of exports that contain only bookmarks, in batches. */
import { listVideos } from '@reelmark/contract/listing.ts'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { pictureKey } from '../../shared/bookmark-columns.ts'
import { isInLibrary, isNotTrashed } from '../../shared/visibility.ts'
import { listingReply } from '../listing/public-api.ts'
import type { ExportedBookmark, ExportedFolder } from './bookmark-files.ts'
import { type BatchKey, isoTimestamp, nextBatch } from './export-rows.ts'

export interface FolderRow extends ExportedFolder {
  id: number
  access: 'public' | 'private'
  channels: (ExportedFolder & { id: number })[]
}

/**
 * Yields a user's collections in order, or the one with an id, each with its channels. Reads them one by one, because the
 * descriptions of all channels of a user can be a gigabyte.
 */
export async function* readFolders(
  db: Db,
  userId: number,
  collectionId: number | null,
): AsyncGenerator<FolderRow> {
  const ids = await db<{ id: number }[]>`
    select c.id from collections c
     where c.user_id = ${userId} ${collectionId === null ? db`` : db`and c.id = ${collectionId}`}
     order by c.position, c.id`
  for (const { id } of ids) yield* await readFolder(db, id)
}

async function readFolder(db: Db, id: number): Promise<FolderRow[]> {
  return db<FolderRow[]>`
    select c.id, c.name, c.description, c.access, ${isoTimestamp(db, db`c.created_at`)} as created_at,
           (select coalesce(json_agg(json_build_object(
                     'id', ch.id, 'name', ch.name, 'description', ch.description,
                     'created_at', ${isoTimestamp(db, db`ch.created_at`)}) order by ch.position, ch.id), '[]')
              from channels ch where ch.collection_id = c.id) as channels
      from collections c where c.id = ${id}`
}

/** A bookmark with the media key of its stored picture. */
export type PicturedBookmark = ExportedBookmark & { id: number; picture_key: string | null }
type BookmarkRow = PicturedBookmark & BatchKey

/** The columns of bookmarks `b` of videos `v` in collections `c` and channels `ch`. */
function bookmarkColumns(db: Db): Fragment {
  return db`b.id, b.created_at::text as at, b.title, v.source_url as url, b.description, b.tags, c.name as collection,
    coalesce(ch.name, '') as channel, (b.access = 'private') or (c.access = 'private') as is_private, b.orientation,
    ${isoTimestamp(db, db`b.created_at`)} as created_at, b.private_note, b.start_seconds,
    coalesce(b.duration, v.duration) as duration, ${pictureKey(db)} as picture_key`
}

/** Returns a batch of a user's bookmarks in a channel, or in a collection outside its channels; the oldest first. */
export async function readBookmarksOf(
  db: Db,
  userId: number,
  container: { collection_id: number } | { channel_id: number },
  after: BatchKey,
  size: number,
): Promise<BookmarkRow[]> {
  const isInside =
    'channel_id' in container
      ? db`b.channel_id = ${container.channel_id}`
      : db`b.collection_id = ${container.collection_id} and b.channel_id is null`
  return db<BookmarkRow[]>`
    select ${bookmarkColumns(db)}
      from bookmarks b join videos v on v.id = b.video_id join collections c on c.id = b.collection_id
      left join channels ch on ch.id = b.channel_id
     where b.user_id = ${userId} and ${isInside} and ${isInLibrary(db)}
       ${nextBatch(db, db`b.created_at`, db`b.id`, after, size)}`
}

/** Returns how many bookmarks there are in a user's library or in one of their collections. */
export async function countBookmarks(db: Db, userId: number, collectionId: number | null): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*) from bookmarks b join videos v on v.id = b.video_id
     where b.user_id = ${userId} and ${isInLibrary(db)}
       ${collectionId === null ? db`` : db`and b.collection_id = ${collectionId}`}`
  return row.count
}

/** Returns the name and description of a user's smart collection; null if it does not exist any more. */
export async function readSmartFolder(db: Db, userId: number, id: number): Promise<ExportedFolder | null> {
  const [folder] = await db<ExportedFolder[]>`
    select s.name, s.description, ${isoTimestamp(db, db`s.created_at`)} as created_at
      from smart_collections s where s.id = ${id} and s.user_id = ${userId} and ${isNotTrashed(db, 's')}`
  return folder ?? null
}

/** How many bookmarks of a smart collection are exported. Without a limit, one without conditions exports the whole site. */
const maxSmartBookmarks = 100_000

/** Yields what a smart collection finds, page by page, as its owner sees it. Private notes of other users are left out. */
export async function* readSmartBookmarks(
  db: Db,
  owner: Viewer,
  id: number,
  max = maxSmartBookmarks,
): AsyncGenerator<{ total: number; bookmarks: PicturedBookmark[] }> {
  const isOwn = db`b.user_id = ${owner.id}`
  const extraColumns = db`, v.source_url as url, b.description, b.tags,
    coalesce((select c.name from collections c where c.id = b.collection_id and ${isOwn}), '') as collection,
    coalesce((select ch.name from channels ch where ch.id = b.channel_id and ${isOwn}), '') as channel,
    ${isoTimestamp(db, db`b.created_at`)} as exported_at,
    case when ${isOwn} then b.private_note else '' end as private_note, b.start_seconds, ${pictureKey(db)} as picture_key`
  const options = { endpoint: listVideos, isTrash: false, extraColumns }
  let position = {}
  let remaining = max
  for (;;) {
    const query = { smart_collection: id, page_size: 100, ...position }
    const { count, next, results } = await listingReply(db, query, owner, options)
    const rows = results as unknown as (PicturedBookmark & { is_public: boolean; exported_at: string })[]
    const bookmarks = rows.map((row) => ({ ...row, is_private: !row.is_public, created_at: row.exported_at }))
    yield { total: Math.min(count, max), bookmarks: bookmarks.slice(0, remaining) }
    remaining -= bookmarks.length
    if (next === null || remaining <= 0) return
    // Besides the cursor, the seed of a random order.
    const { page, cursor, seed } = Object.fromEntries(new URL(next, 'https://site.invalid').searchParams)
    position = { page: Number(page), ...(cursor && { cursor }), ...(seed && { seed: Number(seed) }) }
  }
}
