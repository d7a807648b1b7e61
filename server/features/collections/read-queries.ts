import type { Channel, ChannelPage, Collection, CollectionPage } from '@reelmark/contract/collections.ts'
import type { FollowStatus } from '@reelmark/contract/follows.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Viewer } from '../../core/auth/session.ts'
import { createBatchLoader } from '../../core/database/batch-loader.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { splitCount } from '../../core/http/paging.ts'
import {
  type ContainerKind,
  containerFollowersCount,
  countContainerFollowers,
  isContainerFollowed,
} from '../../shared/followed-lists.ts'
import type { ListOwner } from '../../shared/owner-lists.ts'
import { canSeeProfile, publicCount, sharesWithMembers } from '../../shared/profile-visibility.ts'
import { userSummary } from '../../shared/user-columns.ts'
import { andNotBlockedByOwner } from '../../shared/user-visibility.ts'
import { isNamed } from '../../shared/usernames.ts'
import { canSeeCollection, canSeeInCollection, isVisible } from '../../shared/visibility.ts'
import { joinCover } from './destination-queries.ts'

interface ListRequest {
  viewer: Viewer | null
  skip: number
  size: number
}

/** Columns of channels `ch` in collections `c`; expects their cover joined as `picture`. */
function channelColumns(db: Db, viewerId: number | null): Fragment {
  return db`ch.id, ch.name, ch.description, picture.url as "imageUrl", picture.orientation as image_orientation,
    picture.images as cover_images, ${countBookmarks(db, viewerId, isInChannel(db))} as bookmarks_count`
}

/** Counts the bookmarks that a viewer may see in a container, up to 10,000; adult ones as their owner chose for others. */
function countBookmarks(db: Db, viewerId: number | null, inContainer: Fragment): Fragment {
  return publicCount(
    db,
    db`select b.effective_orientation as orientation from bookmarks b where ${inContainer} and ${canSeeInCollection(db, viewerId)}`,
    countsAdult(db, viewerId),
  )
}

/** Whether the numbers of a collection `c` include adult bookmarks for a viewer. */
function countsAdult(db: Db, viewerId: number | null): Fragment {
  return db`(select owner.counts_adult or owner.id is not distinct from ${viewerId}::bigint from users owner where owner.id = c.user_id)`
}

const isInChannel = (db: Db) => db`b.channel_id = ch.id`
const isInCollection = (db: Db) => db`b.collection_id = c.id`

function joinChannelCover(db: Db, viewerId: number | null): Fragment {
  return joinCover(db, viewerId, isInChannel(db), db`ch.cover_bookmark_id`)
}

/** Columns of collections `c`; expects their cover joined as `picture`. */
function collectionColumns(db: Db, viewerId: number | null): Fragment {
  return db`c.id, c.name, c.description, c.access, c.is_watch_later and c.user_id = ${viewerId}::bigint as is_watch_later,
           picture.url as display_image_url, picture.orientation as display_image_orientation,
           picture.images as cover_images, ${countBookmarks(db, viewerId, isInCollection(db))} as bookmarks_count,
           (select coalesce(json_agg(channel), '[]') from (
              select ${channelColumns(db, viewerId)} from channels ch ${joinChannelCover(db, viewerId)}
               where ch.collection_id = c.id order by ch.position, ch.id) channel) as channels`
}

/** How many of the newest bookmarks are searched for an image for shared links. */
const shareImageCandidates = 200

/** The columns that only the page of a collection `c` or channel `ch` has. Expects owners as `u`. */
function pageColumns(db: Db, kind: ContainerKind, viewer: Viewer | null): Fragment {
  const viewerId = viewer?.id ?? null
  const [inContainer, chosen, id] =
    kind === 'collection'
      ? [isInCollection(db), db`c.cover_bookmark_id`, db`c.id`]
      : [isInChannel(db), db`ch.cover_bookmark_id`, db`ch.id`]
  const visible = db`select b.id, b.video_id, b.created_at, b.effective_orientation, b.thumbnail_large_key from bookmarks b
                    where ${inContainer} and ${isVisible(db)}`
  const seen = db`from bookmarks b where ${inContainer} and ${canSeeInCollection(db, viewerId)}`
  return db`
    (select sum(seconds) filter (where orientation = 'sfw' or ${countsAdult(db, viewerId)})::bigint
       from (select b.effective_duration as seconds, b.effective_orientation as orientation ${seen}
              limit ${limits.summedDurationsMax + 1}) counted
     having count(*) <= ${limits.summedDurationsMax}) as total_duration,
    coalesce((select b.created_at ${seen} order by b.created_at desc, b.id desc limit 1),
             ${kind === 'collection' ? db`c.created_at` : db`ch.created_at`}) as updated_at,
    (select '/media/' || coalesce(candidate.thumbnail_large_key, v.thumbnail_large_key)
       from (select * from (${visible} order by b.created_at desc, b.id desc limit ${shareImageCandidates}) newest
             union all ${visible} and b.id = ${chosen}) candidate
       join videos v on v.id = candidate.video_id
      where candidate.effective_orientation = 'sfw' and coalesce(candidate.thumbnail_large_key, v.thumbnail_large_key) is not null
      order by (candidate.id = ${chosen}) is true desc, candidate.created_at desc, candidate.id desc limit 1) as share_image_url,
    case when c.user_id = ${viewerId}::bigint then ${chosen} end as cover_bookmark_id,
    coalesce(c.user_id = ${viewerId}::bigint, false) as is_owner,
    ${isContainerFollowed(db, kind, id, viewerId)} as is_followed,
    ${containerFollowersCount(db, kind, id, viewer)} as followers_count`
}

/** Returns a user's collections in order with their channels: all for their owner, public ones for others. */
export async function listCollections(
  db: Db,
  { owner, viewer, skip, size }: { owner: ListOwner } & ListRequest,
): Promise<{ count: number; results: Collection[] }> {
  const viewerId = viewer?.id ?? null
  const ownerId =
    'id' in owner
      ? db`${owner.id}::bigint`
      : db`(select u.id from users u
             where ${isNamed(db, owner.username)} and ${canSeeProfile(db, viewer)} ${andNotBlockedByOwner(db, db`u.id`, viewer)})`
  const listed = db`c.user_id = ${ownerId} and ${canSeeCollection(db, viewerId)}`
  const rows = await db<(Collection & { count: number })[]>`
    select total.count, ${collectionColumns(db, viewerId)}
      from (select count(*) from collections c where ${listed}) total
      left join lateral (select * from collections c where ${listed}
                          order by c.position, c.id limit ${size} offset ${skip}) c on true
      ${joinCover(db, viewerId, isInCollection(db), db`c.cover_bookmark_id`)}
     order by c.position, c.id`
  return splitCount(rows)
}

/** Returns a page of a collection's channels in order, or null if the viewer may not see the collection. */
export async function listChannels(
  db: Db,
  { id, viewer, skip, size }: { id: number } & ListRequest,
): Promise<{ count: number; results: Channel[] } | null> {
  const viewerId = viewer?.id ?? null
  const rows = await db<(Channel & { count: number })[]>`
    select (select count(*) from channels where collection_id = c.id) as count, ch.*
      from collections c
      left join lateral (select ${channelColumns(db, viewerId)} from channels ch ${joinChannelCover(db, viewerId)}
                          where ch.collection_id = c.id
                          order by ch.position, ch.id limit ${size} offset ${skip}) ch on true
     where c.id = ${id} and ${canSeeCollection(db, viewerId)} ${andNotBlockedByOwner(db, db`c.user_id`, viewer)}`
  return rows.length === 0 ? null : splitCount(rows)
}

/** Returns a collection for its page, or null if the viewer may not see it. */
export async function readCollection(
  db: Db,
  id: number,
  viewer: Viewer | null,
): Promise<CollectionPage | null> {
  const viewerId = viewer?.id ?? null
  const [collection] = await db<CollectionPage[]>`
    select ${collectionColumns(db, viewerId)}, c.created_at, c.list_order, ${userSummary(db, 'u')} as user,
           ${pageColumns(db, 'collection', viewer)}
      from collections c join users u on u.id = c.user_id
      ${joinCover(db, viewerId, isInCollection(db), db`c.cover_bookmark_id`)}
     where c.id = ${id} and u.banned_at is null and ${canSeeCollection(db, viewerId)}
       ${andNotBlockedByOwner(db, db`c.user_id`, viewer)}`
  return collection ?? null
}

/** Returns a channel for its page, or null if the viewer may not see it. */
export async function readChannel(db: Db, id: number, viewer: Viewer | null): Promise<ChannelPage | null> {
  const viewerId = viewer?.id ?? null
  const [channel] = await db<ChannelPage[]>`
    select ${channelColumns(db, viewerId)}, ch.created_at, ch.list_order, ${userSummary(db, 'u')} as user,
           json_build_object('id', c.id, 'name', c.name, 'access', c.access) as collection,
           ${pageColumns(db, 'channel', viewer)}
      from channels ch join collections c on c.id = ch.collection_id join users u on u.id = c.user_id
      ${joinChannelCover(db, viewerId)}
     where ch.id = ${id} and u.banned_at is null and ${canSeeCollection(db, viewerId)}
       ${andNotBlockedByOwner(db, db`c.user_id`, viewer)}`
  return channel ?? null
}

/**
 * Returns a function that returns whether a viewer follows the collection or channel of another user, and how many followers
 * the viewer sees. Concurrent calls share one statement.
 */
export function createContainerFollowLoader(
  db: Db,
  kind: ContainerKind,
): (id: number, viewerId: number) => Promise<FollowStatus> {
  const load = createBatchLoader((keys: { id: number; viewerId: number }[]): Promise<FollowStatus[]> => {
    const container =
      kind === 'collection'
        ? db`collections c on c.id = pair.id`
        : db`channels ch on ch.id = pair.id left join collections c on c.id = ch.collection_id`
    return db<FollowStatus[]>`
      select ${isContainerFollowed(db, kind, db`pair.id`, db`pair.viewer_id`)} as is_followed,
             case when ${sharesWithMembers(db, 'followers')}
                  then ${countContainerFollowers(db, kind, db`pair.id`)} else 0 end as followers_count
        from unnest(${keys.map(({ id }) => id)}::bigint[], ${keys.map(({ viewerId }) => viewerId)}::bigint[])
               with ordinality as pair (id, viewer_id, position)
        left join ${container} left join users u on u.id = c.user_id
       order by pair.position`
  })
  return (id, viewerId) => load({ id, viewerId })
}
