/** The play queue: the bookmarks of a channel or collection before and after one of them. */

import type { ListingItem, PlayQueue } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { cardColumns } from './card-columns.ts'
import { planListing } from './listing-segments.ts'

type QueueContainer = Pick<PlayQueue, 'collection' | 'channel' | 'user_username'>

interface QueueRow extends ListingItem {
  container: QueueContainer
  count: number
  position: number
}

/**
 * Returns the play queue around a bookmark, in one statement. Rows are read from the bookmark in both directions, so that a
 * position far down costs no more than the first, except for counting, which ends at limits.exactCountMax.
 * @returns null if the bookmark is not in that container, or the viewer may not see it.
 */
export async function readPlayQueue(
  db: Db,
  id: number,
  container: { channel: number } | { collection: number },
  viewer: Viewer | null,
): Promise<PlayQueue | null> {
  const { scope } = planListing(db, { ...noFilters, ...container }, viewer)
  const limitTo = (max: number) => db.unsafe(`limit ${max}`) as Fragment
  const at = db`((select created_at from anchor), (select id from anchor))`
  const inContainer = db`select b.id, b.created_at from ${scope.from} where ${scope.where}`
  const counted = (rows: Fragment) =>
    db`(select count(*) from (${rows} ${limitTo(limits.exactCountMax + 1)}) rows)`
  const rows = await db<QueueRow[]>`
    with anchor as materialized (${inContainer} and b.id = ${id}),
    around as (
      (${inContainer} and (b.created_at, b.id) > ${at} order by b.created_at, b.id ${limitTo(limits.playQueueBeforeMax)})
      union all select id, created_at from anchor
      union all (${inContainer} and (b.created_at, b.id) < ${at}
                 order by b.created_at desc, b.id desc ${limitTo(limits.playQueueAfterMax)}))
    select ${cardColumns(db, viewer?.id ?? null)}, ${counted(inContainer)} as count,
           ${counted(db`${inContainer} and (b.created_at, b.id) >= ${at}`)} as position,
           (select json_build_object(
              'collection', json_build_object('id', c.id, 'name', c.name),
              'channel', case when ch.id = ${'channel' in container ? container.channel : null}::bigint
                              then json_build_object('id', ch.id, 'name', ch.name) end,
              'user_username', owner.username)
              from bookmarks saved join collections c on c.id = saved.collection_id
              join users owner on owner.id = c.user_id left join channels ch on ch.id = saved.channel_id
             where saved.id = (select id from anchor)) as container
      from around join bookmarks b on b.id = around.id
      join videos v on v.id = b.video_id join users u on u.id = b.user_id
     where exists (select from anchor)
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
  excludesOnly: false,
  tags: [],
  user: null,
  likedBy: null,
  channel: null,
  collection: null,
  following: false,
  filters: [],
  order: 'newest' as const,
  randomStart: null,
}
