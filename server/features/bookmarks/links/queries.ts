/** Queries for the secret links of collections. Only their owner reads a link; others are found by the hash of its secret. */
import type { KeyObject } from 'node:crypto'
import type { CollectionLink, UnlistedCollection, UnlistedItem } from '@reelmark/contract/collection-links.ts'
import { type ListOrder, listOrders } from '@reelmark/contract/collections.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { decrypt, encrypt } from '../../../core/auth/encryption.ts'
import { hashOpaqueToken, newOpaqueToken } from '../../../core/auth/hash-token.ts'
import { type Db, type Fragment, inlineNumber } from '../../../core/database/database.ts'
import type { Cursor } from '../../../core/http/cursor.ts'
import { cursorKey, cursorTime, keyOrderedPage, type PageRequest } from '../../../core/http/cursor-paging.ts'
import { effectiveShape, thumbnailUrl } from '../../../shared/bookmark-columns.ts'
import { orderKey } from '../../../shared/order-keys.ts'
import { userSummary } from '../../../shared/user-columns.ts'
import { isWatchedBy } from '../../../shared/viewer-marks.ts'
import { isLinkableUnjoined, isShownByLink, isShownByLinkUnjoined } from '../../../shared/visibility.ts'
import { type BookmarkRow, readVisibleBookmark } from '../read-bookmark.ts'

/** Returns the link of a user's own collection; null if the collection is not theirs. */
export async function readLink(
  db: Db,
  key: KeyObject,
  collectionId: number,
  userId: number,
): Promise<CollectionLink | null> {
  const [row] = await db<
    [
      {
        secret: Buffer | null
        shows_private: boolean
        created_at: string
        public_count: number
        private_count: number
      }?,
    ]
  >`
    select l.secret, l.shows_private, l.created_at, counted.*
      from collections c
      left join collection_links l on l.collection_id = c.id
      cross join lateral (
        select count(*) filter (where access = 'public')::int as public_count,
               count(*) filter (where access = 'private')::int as private_count
          from (select b.access from bookmarks b
                 where b.collection_id = c.id and ${isLinkableUnjoined(db)} limit ${inlineNumber(db, limits.exactCountMax)}) b) counted
     where c.id = ${collectionId} and c.user_id = ${userId}`
  if (row === undefined) return null
  const { secret, shows_private, created_at, ...counts } = row
  if (secret === null) return { link: null, ...counts }
  return { link: { token: decrypt(key, String(collectionId), secret), shows_private, created_at }, ...counts }
}

/** Creates a link to a user's own collection, in place of an earlier one. Does nothing if the collection is not theirs. */
export async function createLink(
  db: Db,
  key: KeyObject,
  collectionId: number,
  userId: number,
  shows_private: boolean,
): Promise<void> {
  const token = newOpaqueToken()
  await db`
    insert into collection_links (collection_id, hash, secret, shows_private)
    select c.id, ${hashOpaqueToken(token)}, ${encrypt(key, String(collectionId), token)}, ${shows_private}
      from collections c where c.id = ${collectionId} and c.user_id = ${userId}
    on conflict (collection_id) do update
       set hash = excluded.hash, secret = excluded.secret, shows_private = excluded.shows_private, created_at = now()`
}

/** Changes which bookmarks the link of a user's own collection shows. Returns false if it has no link. */
export async function updateLink(
  db: Db,
  collectionId: number,
  userId: number,
  shows_private: boolean,
): Promise<boolean> {
  const updated = await db`
    update collection_links l set shows_private = ${shows_private} from collections c
     where l.collection_id = ${collectionId} and c.id = l.collection_id and c.user_id = ${userId}`
  return updated.count === 1
}

/** Deletes the link of a user's own collection. Idempotent. */
export async function deleteLink(db: Db, collectionId: number, userId: number): Promise<void> {
  await db`
    delete from collection_links l using collections c
     where l.collection_id = ${collectionId} and c.id = l.collection_id and c.user_id = ${userId}`
}

type UnlistedRow = UnlistedItem & { key: number | string }

export type UnlistedPage = Pick<UnlistedCollection, 'name' | 'description' | 'user' | 'order'> & {
  count: number
  rows: UnlistedRow[]
}

/**
 * Returns the collection of a link with a page of its bookmarks; null for an unknown link.
 * @param order null: the order that the owner chose
 * @param viewerId null: a visitor. The link shows users the same, and whether they watched the videos.
 */
export async function readUnlistedCollection(
  db: Db,
  token: string,
  order: ListOrder | null,
  request: PageRequest<number | string>,
  viewerId: number | null,
): Promise<UnlistedPage | null> {
  const orders = order === null ? listOrders : [order]
  const pages = orders.map((name) => selectPage(db, name, order === null, request))
  const marks =
    viewerId === null ? db`` : db`, ${isWatchedBy(db, db`${viewerId}`, db`page.video_id`)} as is_watched`
  const rows = await db<(Omit<UnlistedPage, 'rows'> & UnlistedRow)[]>`
    select c.name, c.description, coalesce(${order}::text, c.list_order) as order, ${userSummary(db, 'u')} as user,
           counted.count, page.* ${marks}
      from collection_links l
      join collections c on c.id = l.collection_id
      join users u on u.id = c.user_id and u.banned_at is null
      cross join lateral (
        select count(*)::int as count from (
          select from bookmarks b
           where b.collection_id = c.id and ${isShownByLinkUnjoined(db)} limit ${inlineNumber(db, limits.exactCountMax)}) shown) counted
      left join lateral (${pages.reduce((all, page) => db`${all} union all ${page}`)}) page on true
     where l.hash = ${hashOpaqueToken(token)}
     order by page.position`
  const [first] = rows
  if (first === undefined) return null
  const { name, description, user, count } = first
  return {
    name,
    description,
    user,
    count,
    order: first.order,
    rows: rows
      .filter((row) => row.id !== null)
      .map((row) => ({ ...row, key: isByTime(first.order) ? Number(row.key) : row.key })),
  }
}

/** Returns whether a cursor continues a page in an order. Without an order, no cursor does: the owner can change theirs. */
export function isCursorOf(order: ListOrder | undefined, { key }: Cursor): boolean {
  return order !== undefined && (typeof key === 'number') === isByTime(order)
}

function isByTime(order: ListOrder): boolean {
  return order === 'newest' || order === 'oldest'
}

/**
 * Selects a page of the bookmarks of collection `c` that link `l` shows, in an order.
 * @param isStored whether the page is empty if the owner chose another order. PostgreSQL then reads no bookmarks for it.
 */
function selectPage(
  db: Db,
  order: ListOrder,
  isStored: boolean,
  request: PageRequest<number | string>,
): Fragment {
  const { key, cursorText, isAscending, toKey } = sortKeys(db)[order]
  const shown = db`b.collection_id = c.id and ${isShownByLink(db)}
    ${isStored ? db`and c.list_order = ${db.unsafe(`'${order}'`)}` : db``}`
  const direction = db.unsafe(isAscending ? 'asc' : 'desc')
  return db`(
    select id, video_id, title, thumbnail_url, host, orientation, shape, duration, created_at, key,
           row_number() over (order by sort_key ${direction}, id ${direction}) as position
      from (
        select b.id, b.video_id, b.title, ${thumbnailUrl(db)} as thumbnail_url, v.host, b.effective_orientation as orientation,
               ${effectiveShape(db)} as shape, coalesce(b.duration, v.duration) as duration, b.created_at,
               ${key} as sort_key, ${cursorText} as key
          from bookmarks b join videos v on v.id = b.video_id
         where ${shown} ${keyOrderedPage(db, request, { key, toKey, id: db`b.id`, isAscending })}) found)`
}

/** Returns what each order sorts the bookmarks `b` of a collection by, and how cursors contain this key. */
function sortKeys(db: Db) {
  const time = { key: db`b.created_at`, cursorText: db`${cursorKey(db, db`b.created_at`)}::text` }
  const toTime = (key: number | string) => cursorTime(db, Number(key))
  const text = (key: Fragment) => ({
    key,
    cursorText: key,
    isAscending: true,
    toKey: (cursor: number | string) => db`${String(cursor)}::text collate "C"`,
  })
  return {
    newest: { ...time, isAscending: false, toKey: toTime },
    oldest: { ...time, isAscending: true, toKey: toTime },
    manual: text(orderKey(db, 'collection')),
    title: text(db`(title_sort_key(b.title) collate "C")`),
  }
}

/** Returns a bookmark that a link shows, as a visitor would see it if it were public; null if the link does not show it. */
export function readUnlistedBookmark(db: Db, token: string, id: number): Promise<BookmarkRow | null> {
  return readVisibleBookmark(
    db,
    null,
    db`b.id = ${id} and exists (
      select from collection_links l
       where l.collection_id = b.collection_id and l.hash = ${hashOpaqueToken(token)} and ${isShownByLink(db)})
      and u.banned_at is null`,
  )
}
