/**
 * Reads the part of a feed that comes from followed collections, channels and tags (docs/decisions/0056-followed-lists.md). The
 * bookmarks of a collection or channel are read in its index. Those with any of the tags are read in the index of words, slice
 * by slice.
 */
import type { Db, Fragment } from '../../core/database/database.ts'
import type { ContainerKind } from '../../shared/followed-lists.ts'
import { isNotTrashed } from '../../shared/visibility.ts'
import type { Feed } from './feed.ts'
import { readSlices } from './read-slices.ts'
import type { SlicedOrder } from './search-slices.ts'

function union(parts: Fragment[], db: Db): Fragment {
  return parts.reduce((all, part) => db`${all} union all ${part}`)
}

/** Joins a select for followed collections with the same select for followed channels, by the name of their column. */
function ofContainers(db: Db, select: (id: Fragment) => Fragment): Fragment {
  const kinds: ContainerKind[] = ['collection', 'channel']
  return union(
    kinds.map((kind) => select(db`${db(`${kind}_id`)}`)),
    db,
  )
}

function followedTags(db: Db, userId: number): Fragment {
  return db`(select array_agg(tag) from followed_lists where user_id = ${userId} and tag is not null)`
}

/** The condition that a user follows a tag, which PostgreSQL evaluates once. */
export function followsTag(db: Db, userId: number): Fragment {
  return db`exists (select from followed_lists where user_id = ${userId} and tag is not null)`
}

/**
 * The condition that bookmarks `b` are in a collection or channel that a user follows, or have a tag that the user follows. Own
 * bookmarks of the user do not meet it.
 */
export function isInFollowedList(db: Db, userId: number): Fragment {
  const isFollowed = (id: Fragment) =>
    db`b.${id} in (select f.${id} from followed_lists f where f.user_id = ${userId} and f.${id} is not null)`
  return db`(exists (select from followed_lists where user_id = ${userId}) and b.user_id <> ${userId}
    and (${isFollowed(db`collection_id`)} or ${isFollowed(db`channel_id`)} or b.tags && ${followedTags(db, userId)}))`
}

/** The condition that bookmarks `b` of others have a tag that a user follows. The index of words finds them. */
function hasFollowedTag(db: Db, userId: number): Fragment {
  return db`b.search_vector @@ (
    select string_agg(array_to_tsvector(array['tag:' || tag])::text, ' | ')::tsquery
      from followed_lists where user_id = ${userId} and tag is not null) and b.user_id <> ${userId}`
}

/** Selects the bookmarks of followed lists. One that is in several lists is returned several times. */
export function bookmarksOfLists(db: Db, userId: number): Fragment {
  return db`${ofContainers(
    db,
    (id) =>
      db`select b.* from followed_lists f join bookmarks b on b.${id} = f.${id} where f.user_id = ${userId}`,
  )} union all select b.* from bookmarks b where ${hasFollowedTag(db, userId)} and ${followsTag(db, userId)}`
}

/** The part of a feed that a batch reads. */
interface BatchPart {
  /** The condition for bookmarks `b`. */
  position: Fragment
  order: Fragment
  /** How many bookmarks are read of each source: of a followed user, collection or channel, or of all followed tags. */
  size: Fragment
}

/**
 * `cross join lateral …`: the bookmarks of a source that are in a part of a feed, as `newest`, with their `number`.
 * @param isOfSource the condition that bookmarks `b` are of the source
 */
export function newestOfSource(
  db: Db,
  feed: Feed,
  isOfSource: Fragment,
  { position, order, size }: BatchPart,
): Fragment {
  return db`
    cross join lateral (
      select b.id, b.created_at, b.video_id, row_number() over (order by ${order}) as number
        from (select b.id, b.created_at, b.video_id from bookmarks b
               where ${isOfSource} and ${feed.condition} and ${position} order by ${order} limit ${size}) b) newest`
}

/** Selects the bookmarks of a part of a feed that are in followed collections or channels, with their `number` in each. */
export function newestOfContainers(db: Db, feed: Feed, part: BatchPart): Fragment {
  return ofContainers(
    db,
    (id) => db`
      select newest.* from followed_lists f ${newestOfSource(db, feed, db`b.${id} = f.${id}`, part)}
       where f.user_id = ${feed.follower.id} and f.${id} is not null`,
  )
}

/** Selects the bookmarks of a part of a feed that have a followed tag, from slices, with their `number`. */
export function newestOfTags(
  db: Db,
  feed: Feed,
  slices: SlicedOrder,
  { position, order, size }: BatchPart,
  backwards: boolean,
): Fragment {
  const tagged = {
    id: db`b.id`,
    key: db`b.created_at`,
    from: db`bookmarks b`,
    where: db`${hasFollowedTag(db, feed.follower.id)} and ${feed.condition}`,
    cells: null,
  }
  const keyOrder = backwards ? db`order by key, id` : db`order by key desc, id desc`
  return db`
    select b.id, b.created_at, b.video_id, row_number() over (order by ${order}) as number
      from (${readSlices(db, tagged, slices, db`and ${position}`, db`${keyOrder} limit ${size}`)} limit ${size}) found
      join bookmarks b on b.id = found.id
     where ${followedTags(db, feed.follower.id)} is not null`
}

/** Selects the bookmarks in `scanned` that have a followed tag. */
export function scannedWithTags(db: Db, feed: Feed): Fragment {
  return db`
    select tagged.* from scanned
     cross join lateral (
       select b.id, b.created_at, b.video_id from bookmarks b
        where b.id = scanned.id and b.tags && ${followedTags(db, feed.follower.id)} and b.user_id <> ${feed.follower.id}
          and ${feed.condition} limit 1) tagged
     where ${followedTags(db, feed.follower.id)} is not null`
}

/**
 * Selects the owners (`user_id`) of the bookmarks of a video that are in followed lists and meet a condition. In a collection or
 * channel they are looked up among the bookmarks of its owner, because very many users can have saved the video.
 */
export function saversInLists(db: Db, feed: Feed, videoId: Fragment, condition: Fragment): Fragment {
  const owner = db`(select c.user_id from collections c
    where c.id = coalesce(f.collection_id, (select ch.collection_id from channels ch where ch.id = f.channel_id)))`
  return db`${ofContainers(
    db,
    (id) => db`
      select saved.user_id from followed_lists f
       cross join lateral (select b.user_id from bookmarks b
         where b.user_id = ${owner} and b.${id} = f.${id} and b.video_id = ${videoId} and ${condition}
           and ${feed.condition} and ${isNotTrashed(db)} limit 1) saved
       where f.user_id = ${feed.follower.id} and f.${id} is not null`,
  )} union all select b.user_id from bookmarks b
      where b.video_id = ${videoId} and ${condition} and b.tags && ${followedTags(db, feed.follower.id)}
        and b.user_id <> ${feed.follower.id} and ${feed.condition} and ${followedTags(db, feed.follower.id)} is not null`
}

/** The number of lists that a user follows. */
export function countFollowedLists(db: Db, userId: number): Fragment {
  return db`(select count(*) from followed_lists where user_id = ${userId})`
}
