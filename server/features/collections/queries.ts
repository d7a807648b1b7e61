import type { Channel, Collection } from '@reelmark/contract/collections.ts'
import type { Fragment } from 'postgres'
import type { Db } from '../../core/database.ts'

/** How many bookmarks are counted in one place: past that nobody counts. */
const most = 10_000

interface Range {
  skip: number
  size: number
}

/** Bookmarks `b` that the viewer may see in a place of the collection `c`: their own, hidden ones too, or visible ones. */
function seenIn(db: Db, me: number | null): Fragment {
  return db`(b.is_visible or (c.user_id = ${me}::bigint and b.deleted_at is null))`
}

/** Columns of the channels `ch` of collections `c`. */
function channelColumns(db: Db, me: number | null): Fragment {
  return db`ch.id, ch.name, ch.description, '/media/' || ch.picture_key as "imageUrl",
    (select count(*)::int from (
       select from bookmarks b where b.channel_id = ch.id and ${seenIn(db, me)} limit ${most}) counted) as bookmarks_count`
}

/**
 * Somebody's collections in their order, with their channels: all to their owner, the public ones to others.
 * A collection without a picture of its own shows the newest of its bookmarks' pictures.
 */
export async function listCollections(
  db: Db,
  { owner, me, skip, size }: { owner: { username: string } | { id: number }; me: number | null } & Range,
): Promise<{ count: number; results: Collection[] }> {
  const ownerId =
    'id' in owner
      ? db`${owner.id}::bigint`
      : db`(select id from users where lower(username) = lower(${owner.username}))`
  const listed = db`c.user_id = ${ownerId} and (c.access = 'public' or c.user_id = ${me}::bigint)`
  const rows = await db<(Collection & { count: number })[]>`
    select (select count(*) from collections c where ${listed}) as count,
           c.id, c.name, c.description, c.access,
           '/media/' || coalesce(c.picture_key, (
             select v.thumbnail_key
               from (select b.video_id, b.created_at, b.id from bookmarks b
                      where b.collection_id = c.id and ${seenIn(db, me)}
                      order by b.created_at desc, b.id desc limit 12) newest
               join videos v on v.id = newest.video_id and v.thumbnail_key is not null
              order by newest.created_at desc, newest.id desc limit 1)) as display_image_url,
           (select count(*) from (
              select from bookmarks b where b.collection_id = c.id and ${seenIn(db, me)} limit ${most}) counted
           ) as bookmarks_count,
           (select coalesce(json_agg(channel), '[]') from (
              select ${channelColumns(db, me)} from channels ch
               where ch.collection_id = c.id order by ch.position, ch.id) channel) as channels
      from (select 1) always
      left join lateral (select * from collections c where ${listed}
                          order by c.position, c.id limit ${size} offset ${skip}) c on true
     order by c.position, c.id`
  return { count: rows[0]?.count ?? 0, results: rows.filter((row) => row.id !== null) }
}

/** A collection's channels in their order; null where it is not there or not the viewer's to see. */
export async function listChannels(
  db: Db,
  { id, me, skip, size }: { id: number; me: number | null } & Range,
): Promise<{ count: number; results: Channel[] } | null> {
  const rows = await db<(Channel & { count: number })[]>`
    select (select count(*) from channels where collection_id = c.id) as count, ch.*
      from collections c
      left join lateral (select ${channelColumns(db, me)} from channels ch
                          where ch.collection_id = c.id
                          order by ch.position, ch.id limit ${size} offset ${skip}) ch on true
     where c.id = ${id} and (c.access = 'public' or c.user_id = ${me}::bigint)`
  const [first] = rows
  return first === undefined ? null : { count: first.count, results: rows.filter((row) => row.id !== null) }
}
