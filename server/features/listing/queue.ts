/** What is played one after the other: a channel or a collection around one of its bookmarks. */
import { limits } from '@reelmark/contract/limits.ts'
import type { ListingItem, Queue } from '@reelmark/contract/listing.ts'
import type { Db, Fragment } from '../../core/database.ts'
import { cardColumns } from './card-columns.ts'
import { type Asker, stretchesOf } from './stretches.ts'

type Place = Pick<Queue, 'collection' | 'channel' | 'user_username'>

interface Row extends ListingItem {
  place: Place
  count: number
  position: number
}

/**
 * Read from the bookmark on in both directions, as a cursor of the place's list would be: the first costs what the
 * thousandth costs, but for the counting, which ends at limits.exactCount. One statement.
 * @returns null where the bookmark is not in that place, or not there for the viewer.
 */
export async function readQueue(
  db: Db,
  id: number,
  place: { channel: number } | { collection: number },
  viewer: Asker | null,
): Promise<Queue | null> {
  const { whole } = stretchesOf(db, { ...unfiltered, ...place }, viewer)
  const most = (limit: number) => db.unsafe(`limit ${limit}`) as Fragment
  const at = db`((select created_at from here), (select id from here))`
  const inPlace = db`select b.id, b.created_at from ${whole.from} where ${whole.where}`
  const counted = (rows: Fragment) => db`(select count(*) from (${rows} ${most(limits.exactCount + 1)}) rows)`
  const rows = await db<Row[]>`
    with here as materialized (${inPlace} and b.id = ${id}),
    around as (
      (${inPlace} and (b.created_at, b.id) > ${at} order by b.created_at, b.id ${most(limits.queueBefore)})
      union all select id, created_at from here
      union all (${inPlace} and (b.created_at, b.id) < ${at}
                 order by b.created_at desc, b.id desc ${most(limits.queueAfter)}))
    select ${cardColumns(db, viewer?.id ?? null)}, ${counted(inPlace)} as count,
           ${counted(db`${inPlace} and (b.created_at, b.id) >= ${at}`)} as position,
           (select json_build_object(
              'collection', json_build_object('id', c.id, 'name', c.name),
              'channel', case when ch.id = ${'channel' in place ? place.channel : null}::bigint
                              then json_build_object('id', ch.id, 'name', ch.name) end,
              'user_username', owner.username)
              from bookmarks one join collections c on c.id = one.collection_id
              join users owner on owner.id = c.user_id left join channels ch on ch.id = one.channel_id
             where one.id = (select id from here)) as place
      from around join bookmarks b on b.id = around.id
      join videos v on v.id = b.video_id join users u on u.id = b.user_id
     where exists (select from here)
     order by b.created_at desc, b.id desc`
  const [first] = rows
  if (first === undefined) return null
  const { count, position } = first
  return {
    count: Math.min(count, limits.exactCount),
    ...(count > limits.exactCount ? { count_is_estimate: true } : {}),
    position: position > limits.exactCount ? null : position,
    ...first.place,
    results: rows,
  }
}

const unfiltered = {
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
