/** What is played one after the other: a channel or a collection around one of its bookmarks. */

import type { ListingItem, PlayQueue } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { cardColumns } from './card-columns.ts'
import { type ListingViewer, planListing } from './listing-segments.ts'

type QueueContainer = Pick<PlayQueue, 'collection' | 'channel' | 'user_username'>

interface QueueRow extends ListingItem {
  container: QueueContainer
  count: number
  position: number
}

/**
 * Read from the bookmark on in both directions, as a cursor of the place's list would be: the first costs what the
 * thousandth costs, but for the counting, which ends at limits.exactCount. One statement.
 * @returns null where the bookmark is not in that place, or not there for the viewer.
 */
export async function readPlayQueue(
  db: Db,
  id: number,
  container: { channel: number } | { collection: number },
  viewer: ListingViewer | null,
): Promise<PlayQueue | null> {
  const { whole } = planListing(db, { ...noFilters, ...container }, viewer)
  const max = (limit: number) => db.unsafe(`limit ${limit}`) as Fragment
  const at = db`((select created_at from here), (select id from here))`
  const inContainer = db`select b.id, b.created_at from ${whole.from} where ${whole.where}`
  const counted = (rows: Fragment) =>
    db`(select count(*) from (${rows} ${max(limits.exactCountMax + 1)}) rows)`
  const rows = await db<QueueRow[]>`
    with here as materialized (${inContainer} and b.id = ${id}),
    around as (
      (${inContainer} and (b.created_at, b.id) > ${at} order by b.created_at, b.id ${max(limits.playQueueBeforeMax)})
      union all select id, created_at from here
      union all (${inContainer} and (b.created_at, b.id) < ${at}
                 order by b.created_at desc, b.id desc ${max(limits.playQueueAfterMax)}))
    select ${cardColumns(db, viewer?.id ?? null)}, ${counted(inContainer)} as count,
           ${counted(db`${inContainer} and (b.created_at, b.id) >= ${at}`)} as position,
           (select json_build_object(
              'collection', json_build_object('id', c.id, 'name', c.name),
              'channel', case when ch.id = ${'channel' in container ? container.channel : null}::bigint
                              then json_build_object('id', ch.id, 'name', ch.name) end,
              'user_username', owner.username)
              from bookmarks one join collections c on c.id = one.collection_id
              join users owner on owner.id = c.user_id left join channels ch on ch.id = one.channel_id
             where one.id = (select id from here)) as container
      from around join bookmarks b on b.id = around.id
      join videos v on v.id = b.video_id join users u on u.id = b.user_id
     where exists (select from here)
     order by b.created_at desc, b.id desc`
  const [first] = rows
  if (first === undefined) return null
  const { count, position } = first
  return {
    count: Math.min(count, limits.exactCountMax),
    ...(count > limits.exactCountMax ? { count_is_estimate: true } : {}),
    position: position > limits.exactCountMax ? null : position,
    ...first.container,
    results: rows,
  }
}

const noFilters = {
  orientation: null,
  search: null,
  closeSearch: null,
  tags: [],
  user: null,
  likedBy: null,
  channel: null,
  collection: null,
  following: false,
  randomStart: null,
}
