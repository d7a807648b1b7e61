import type { Channel, ChannelPage, Collection, CollectionPage } from '@reelmark/contract/collections.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { splitCount } from '../../core/http/paging.ts'
import { canSeeCollection, canSeeInCollection, isVisible } from '../bookmarks/visibility.ts'
import { andNotBlockedByOwner, type VisibilityViewer } from '../users/blocks/user-visibility.ts'
import { userSummary } from '../users/profiles/user-columns.ts'
import { joinCover } from './destination-queries.ts'

/** How many bookmarks are counted in one place: past that nobody counts. */
const maxCounted = 10_000

interface ListRequest {
  viewer: VisibilityViewer | null
  skip: number
  size: number
}

/** Columns of the channels `ch` of collections `c`, with their `picture`. */
function channelColumns(db: Db, me: number | null): Fragment {
  return db`ch.id, ch.name, ch.description, picture.url as "imageUrl", picture.orientation as image_orientation,
    (select count(*)::int from (
       select from bookmarks b where b.channel_id = ch.id and ${canSeeInCollection(db, me)} limit ${maxCounted}) counted) as bookmarks_count`
}

const isInChannel = (db: Db) => db`b.channel_id = ch.id`
const isInCollection = (db: Db) => db`b.collection_id = c.id`

function channelPicture(db: Db, me: number | null): Fragment {
  return joinCover(db, me, isInChannel(db), db`ch.cover_bookmark_id`)
}

/** Columns of collections `c`, with their `picture`. */
function collectionColumns(db: Db, me: number | null): Fragment {
  return db`c.id, c.name, c.description, c.access, c.is_watch_later and c.user_id = ${me}::bigint as is_watch_later,
           picture.url as display_image_url, picture.orientation as display_image_orientation,
           (select count(*) from (
              select from bookmarks b where b.collection_id = c.id and ${canSeeInCollection(db, me)} limit ${maxCounted}) counted
           ) as bookmarks_count,
           (select coalesce(json_agg(channel), '[]') from (
              select ${channelColumns(db, me)} from channels ch ${channelPicture(db, me)}
               where ch.collection_id = c.id order by ch.position, ch.id) channel) as channels`
}

/** How many of the newest bookmarks are looked through for a picture to share. */
const shareImageCandidates = 200

/** The columns that only a page of its own has, of a place of collections `c`. */
function pageColumns(db: Db, me: number | null, inContainer: Fragment, chosen: Fragment): Fragment {
  const shown = db`select b.id, b.video_id, b.created_at, b.effective_orientation, b.thumbnail_large_key from bookmarks b
                    where ${inContainer} and ${isVisible(db)}`
  return db`
    (select '/media/' || coalesce(shown.thumbnail_large_key, v.thumbnail_large_key)
       from (select * from (${shown} order by b.created_at desc, b.id desc limit ${shareImageCandidates}) newest
             union all ${shown} and b.id = ${chosen}) shown
       join videos v on v.id = shown.video_id
      where shown.effective_orientation = 'sfw' and coalesce(shown.thumbnail_large_key, v.thumbnail_large_key) is not null
      order by (shown.id = ${chosen}) is true desc, shown.created_at desc, shown.id desc limit 1) as share_image_url,
    case when c.user_id = ${me}::bigint then ${chosen} end as cover_bookmark_id,
    coalesce(c.user_id = ${me}::bigint, false) as is_owner`
}

/** Somebody's collections in their order, with their channels: all to their owner, the public ones to others. */
export async function listCollections(
  db: Db,
  { owner, viewer, skip, size }: { owner: { username: string } | { id: number } } & ListRequest,
): Promise<{ count: number; results: Collection[] }> {
  const me = viewer?.id ?? null
  const ownerId =
    'id' in owner
      ? db`${owner.id}::bigint`
      : db`(select id from users
             where lower(username) = lower(${owner.username}) ${andNotBlockedByOwner(db, db`id`, viewer)})`
  const listed = db`c.user_id = ${ownerId} and ${canSeeCollection(db, me)}`
  const rows = await db<(Collection & { count: number })[]>`
    select total.count, ${collectionColumns(db, me)}
      from (select count(*) from collections c where ${listed}) total
      left join lateral (select * from collections c where ${listed}
                          order by c.position, c.id limit ${size} offset ${skip}) c on true
      ${joinCover(db, me, isInCollection(db), db`c.cover_bookmark_id`)}
     order by c.position, c.id`
  return splitCount(rows)
}

/** A collection's channels in their order; null where it is not there or not the viewer's to see. */
export async function listChannels(
  db: Db,
  { id, viewer, skip, size }: { id: number } & ListRequest,
): Promise<{ count: number; results: Channel[] } | null> {
  const me = viewer?.id ?? null
  const rows = await db<(Channel & { count: number })[]>`
    select (select count(*) from channels where collection_id = c.id) as count, ch.*
      from collections c
      left join lateral (select ${channelColumns(db, me)} from channels ch ${channelPicture(db, me)}
                          where ch.collection_id = c.id
                          order by ch.position, ch.id limit ${size} offset ${skip}) ch on true
     where c.id = ${id} and ${canSeeCollection(db, me)} ${andNotBlockedByOwner(db, db`c.user_id`, viewer)}`
  return rows.length === 0 ? null : splitCount(rows)
}

/** A collection on a page of its own; null where it is not there or not the viewer's to see. */
export async function readCollection(
  db: Db,
  id: number,
  viewer: VisibilityViewer | null,
): Promise<CollectionPage | null> {
  const me = viewer?.id ?? null
  const [collection] = await db<CollectionPage[]>`
    select ${collectionColumns(db, me)}, c.created_at, ${userSummary(db, 'u')} as user,
           ${pageColumns(db, me, isInCollection(db), db`c.cover_bookmark_id`)}
      from collections c join users u on u.id = c.user_id
      ${joinCover(db, me, isInCollection(db), db`c.cover_bookmark_id`)}
     where c.id = ${id} and u.banned_at is null and ${canSeeCollection(db, me)}
       ${andNotBlockedByOwner(db, db`c.user_id`, viewer)}`
  return collection ?? null
}

/** A channel on a page of its own, likewise. */
export async function readChannel(
  db: Db,
  id: number,
  viewer: VisibilityViewer | null,
): Promise<ChannelPage | null> {
  const me = viewer?.id ?? null
  const [channel] = await db<ChannelPage[]>`
    select ${channelColumns(db, me)}, ch.created_at, ${userSummary(db, 'u')} as user,
           json_build_object('id', c.id, 'name', c.name, 'access', c.access) as collection,
           ${pageColumns(db, me, isInChannel(db), db`ch.cover_bookmark_id`)}
      from channels ch join collections c on c.id = ch.collection_id join users u on u.id = c.user_id
      ${channelPicture(db, me)}
     where ch.id = ${id} and u.banned_at is null and ${canSeeCollection(db, me)}
       ${andNotBlockedByOwner(db, db`c.user_id`, viewer)}`
  return channel ?? null
}
