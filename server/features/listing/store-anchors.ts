/** Jobs that store the anchors of page-anchors.ts: each hundredth row of long lists, with its position. */
import { listingOrders } from '@reelmark/contract/listing.ts'
import { orientations } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import {
  type Db,
  type Fragment,
  inlineNumber,
  type Sql,
  type TransactionSql,
} from '../../core/database/database.ts'
import { cursorKey } from '../../core/http/cursor-paging.ts'
import { orderKey } from '../../shared/order-keys.ts'
import { isInLibraryUnjoined, isListed, isVisible, isVisibleVideo } from '../../shared/visibility.ts'
import { allBookmarks } from './listing-filter.ts'
import { isComputed, type ListingOrder } from './listing-orders.ts'
import type { LongListKind } from './long-lists.ts'
import { type OwnOrder, ownOrderKey, ownOrders } from './own-orders.ts'
import { spacing } from './page-anchors.ts'
import { planListing } from './plan-listing.ts'

/** Replaces the anchors of Explore by time, of each orientation, and of the lists in long_lists. */
export async function storeAnchors(sql: Sql): Promise<void> {
  await storeExploreAnchors(sql, ['newest', 'oldest'])
  await inLongTransaction(sql, async (db) => {
    await db`delete from page_anchors where kind <> 'explore' and sort <> all (${[...ownOrders]})`
    await insertListAnchors(db)
  })
}

/** Replaces the anchors of Explore and of long lists in other orders. This reads all bookmarks, and not only an index. */
export async function storeOrderAnchors(sql: Sql): Promise<void> {
  await storeExploreAnchors(sql, listingOrders.filter(isComputed))
  for (const order of ownOrders) {
    await inLongTransaction(sql, async (db) => {
      await db`delete from page_anchors where kind <> 'explore' and sort = ${order}`
      for (const list of orderedLists(db, order)) await insertOrderAnchors(db, order, list)
    })
  }
}

/** Lists of one kind, as their owner and as others see them. */
interface OrderedLists {
  own: LongListKind
  visible: LongListKind
  /** The column of bookmarks with the id of the list. */
  container: Fragment
  /** The segments of the listing, for its owner and for others. */
  segments: { own: Fragment; visible: Fragment }
}

/** Returns the lists that are read in the index of an order: users by each, and collections and channels by title. */
function orderedLists(db: Db, order: OwnOrder): OrderedLists[] {
  const { segment } = ownOrderKey(db, order)
  const users: OrderedLists = {
    own: 'library',
    visible: 'profile',
    container: db`b.user_id`,
    segments: { own: segment, visible: segment },
  }
  if (order !== 'title') return [users]
  const containers = (['collection', 'channel'] as const).map((kind) => ({
    own: `own ${kind}` as const,
    visible: kind,
    container: db`b.${db(`${kind}_id`)}`,
    // The second segment is that for the owner.
    segments: { own: db`1`, visible: db`0` },
  }))
  return [users, ...containers]
}

/** Numbers the rows of each long list in an order, in one pass for its owner and for others. */
async function insertOrderAnchors(
  db: Db,
  order: OwnOrder,
  { own, visible, container, segments }: OrderedLists,
): Promise<void> {
  const { key, cursorKey: keyOfCursor, direction } = ownOrderKey(db, order)
  await db`
    insert into page_anchors (kind, id, orientation, sort, position, segment, key, row_id)
    select stored.kind, list.id, 'all', ${order}, stored.position, stored.segment, (${keyOfCursor.fromKey(db`key`)})::text, numbered.id
      from (select distinct id from long_lists where kind in (${own}, ${visible})) list
      cross join lateral (
        select id, key, own_segment, visible_segment, is_visible, row_number() over ordered as own_position,
               count(*) filter (where ${isVisible(db, 'listed')}) over ordered as visible_position
          from (select b.id, ${key} as key, ${segments.own} as own_segment, ${segments.visible} as visible_segment, b.is_visible
                  from bookmarks b where ${container} = list.id and ${isInLibraryUnjoined(db)}) listed
        window ordered as (order by own_segment, key ${direction}, id ${direction} rows unbounded preceding)) numbered
      cross join lateral (
        values (${own}, own_segment, own_position, true),
               (${visible}, visible_segment, visible_position, is_visible)) stored (kind, segment, position, is_in_list)
     where stored.is_in_list and stored.position % ${inlineNumber(db, spacing)} = 0
       and exists (select from long_lists long where long.kind = stored.kind and long.id = list.id)`
}

async function storeExploreAnchors(sql: Sql, orders: readonly ListingOrder[]): Promise<void> {
  for (const order of orders) {
    await inLongTransaction(sql, async (db) => {
      await db`delete from page_anchors where kind = 'explore' and sort = ${order}`
      // The index of titles lacks the orientation: in its order, the table would be read at millions of random places.
      if (order === 'title') await db`set local enable_indexscan = off`
      await insertExploreAnchors(db, order)
    })
  }
}

/** Runs a transaction with the time and memory to sort tens of millions of rows. */
function inLongTransaction(sql: Sql, work: (db: TransactionSql) => Promise<void>): Promise<void> {
  return sql.begin(async (db) => {
    await db`set local statement_timeout = '600s'`
    await db`set local work_mem = '64MB'`
    await work(db)
  })
}

/**
 * Numbers the rows of Explore in one pass, in total and by orientation. That all of them are listed is stated, so that PostgreSQL
 * reads an index of listed bookmarks.
 */
async function insertExploreAnchors(db: Db, order: ListingOrder): Promise<void> {
  const { segments } = await planListing(db, { ...allBookmarks, order }, null)
  const [first] = segments
  if (first === undefined) return
  const rows = segments
    .map(
      ({ id, key, from, where }, segment) =>
        db`select ${inlineNumber(db, segment)} as segment, ${id} as id, ${key} as key, b.effective_orientation as orientation
             from ${from} where ${where} and ${isListed(db)}`,
    )
    .reduce((all, part) => db`${all} union all ${part}`)
  const direction = db.unsafe(first.isAscending ? 'asc' : 'desc') as Fragment
  const counts = orientations.map((name) => ({
    name,
    value: db.unsafe(`'${name}'`),
    column: db(`${name}_count`),
  }))
  const list = (parts: Fragment[]) => parts.reduce((all, part) => db`${all} ${part}`, db``)
  const isAnchor = (position: Fragment) => db`${position} % ${inlineNumber(db, spacing)} = 0`
  // Most rows are no anchor. They are left out before each row is combined with its two lists.
  await db`
    insert into page_anchors (kind, id, orientation, sort, position, segment, key, row_id)
    select 'explore', 0, list.orientation, ${order}, list.position, segment, (${first.cursorKey.fromKey(db`key`)})::text, numbered.id
      from (select segment, id, key, orientation, all_count,
                   case orientation ${list(counts.map(({ value, column }) => db`when ${value} then ${column}`))} end as orientation_count
              from (select segment, id, key, orientation, count(*) over ordered as all_count
                           ${list(counts.map(({ value, column }) => db`, count(*) filter (where orientation = ${value}) over ordered as ${column}`))}
                      from (${rows}) rows
                    window ordered as (order by segment, key ${direction}, id ${direction} rows unbounded preceding)) counted) numbered
      cross join lateral (
        values ('all', all_count), (numbered.orientation, orientation_count)) list (orientation, position)
     where (${isAnchor(db`all_count`)} or ${isAnchor(db`orientation_count`)}) and ${isAnchor(db`list.position`)}
       and list.orientation in (select orientation from listing_counts where count > ${limits.skippedMax})`
}

async function insertListAnchors(db: Db): Promise<void> {
  const saved = (
    kind: LongListKind,
    container: Fragment,
    condition: Fragment,
    manualKey: Fragment | null = null,
  ) => ({
    kind,
    from: db`bookmarks b`,
    where: db`${container} = list.id and ${condition}`,
    id: db`b.id`,
    key: db`b.created_at`,
    manualKey,
  })
  const inCollection = orderKey(db, 'collection')
  const inChannel = orderKey(db, 'channel')
  const own = isInLibraryUnjoined(db)
  const lists = [
    saved('profile', db`b.user_id`, isVisible(db)),
    saved('library', db`b.user_id`, own),
    saved('collection', db`b.collection_id`, isVisible(db), inCollection),
    saved('own collection', db`b.collection_id`, own, inCollection),
    saved('channel', db`b.channel_id`, isVisible(db), inChannel),
    saved('own channel', db`b.channel_id`, own, inChannel),
    {
      kind: 'likes',
      from: db`likes l join videos lv on lv.id = l.video_id`,
      where: db`l.user_id = list.id and ${isVisibleVideo(db, 'lv')}`,
      id: db`lv.lead_bookmark_id`,
      key: db`l.created_at`,
      manualKey: null,
    },
  ]
  for (const { kind, from, where, id, key, manualKey } of lists) {
    const time = db`(${cursorKey(db, db`key`)})::text`
    await db`
      insert into page_anchors (kind, id, orientation, sort, position, segment, key, row_id)
      select list.kind, list.id, 'all', stored.sort, stored.position, 0, stored.key, numbered.id
        from long_lists list
        cross join lateral (
          select ${id} as id, ${key} as key, row_number() over (order by ${key} desc, ${id} desc) as newest,
                 row_number() over (order by ${key}, ${id}) as oldest
                 ${manualKey === null ? db`` : db`, ${manualKey} as manual_key, row_number() over (order by ${manualKey}, ${id}) as manual`}
            from ${from} where ${where}) numbered
        cross join lateral (
          values ('newest', newest, ${time}), ('oldest', oldest, ${time})
                 ${manualKey === null ? db`` : db`, ('manual', manual, manual_key)`}) stored (sort, position, key)
       where list.kind = ${kind} and stored.position % ${inlineNumber(db, spacing)} = 0`
  }
}
