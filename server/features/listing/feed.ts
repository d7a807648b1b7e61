/**
 * Reads the Following feed: the bookmarks of the users and lists that a viewer follows, newest first, each video once, by its
 * newest bookmark (docs/decisions/0058-own-lists-and-feeds.md).
 *
 * Batches of bookmarks are read in the order of the feed until the page is full. A batch starts where the one before ended, and
 * contains all bookmarks of the feed from there to its own end. Of each video it can show only the newest bookmark in the
 * batch, so that only this one is compared with the bookmarks that are newer than the batch.
 */
import type { Viewer } from '../../core/auth/session.ts'
import { type Db, type Fragment, inlineNumber } from '../../core/database/database.ts'
import type { Cursor } from '../../core/http/cursor.ts'
import { cursorTime } from '../../core/http/cursor-paging.ts'
import { isNotTrashed, isVisible } from '../../shared/visibility.ts'
import {
  bookmarksOfLists,
  countFollowedLists,
  followsTag,
  isInFollowedList,
  newestOfContainers,
  newestOfSource,
  newestOfTags,
  saversInLists,
  scannedWithTags,
} from './feed-of-lists.ts'
import { allTimeSlices, timeSlices } from './search-slices.ts'

/** The viewer whose feed is read. */
export type Follower = Pick<Viewer, 'id' | 'follows_lists'>

/** What a feed contains. */
export interface Feed {
  follower: Follower
  /** The condition for bookmarks `b`: visible, not hidden from the viewer, and found by the filters. */
  condition: Fragment
  /** Whether `condition` only says that bookmarks are visible. An index then has all that a batch compares. */
  isUnfiltered: boolean
}

/** How many bookmarks of all users the first batch of recentBatch() reads. Each further batch reads twice as many. */
const firstRecent = 1000
/** The maximum number of these batches. */
const recentBatches = 5
/** A batch that would read more than this many bookmarks per followed user is read by mergedBatch() instead. */
const recentOfEach = 4
/** How many bookmarks mergedBatch() reads of each followed user: at least `minOfEach` in the first batch. */
const minOfEach = 10
/** At most this many in a later batch. */
const maxOfEach = 20_000

/** Names the video, time and id of bookmarks `b` also `own`, because hasNewer() compares `own` with other bookmarks `b`. */
export function ownRow(db: Db): Fragment {
  return db`cross join lateral (select b.video_id, b.created_at, b.id) own`
}

/**
 * The condition that the viewer follows a user. `is true`: PostgreSQL compares rows that were found otherwise with all followed
 * users at once, and does not read the bookmarks of each.
 */
function isFollowed(db: Db, viewerId: number, userId: Fragment): Fragment {
  return db`(${userId} in (select followee_id from follows where follower_id = ${viewerId})) is true`
}

/** The condition that bookmarks `b`, which were found otherwise, are in the feed. */
function isInFeed(db: Db, { id, follows_lists }: Follower): Fragment {
  const isByFollowed = isFollowed(db, id, db`b.user_id`)
  return follows_lists ? db`(${isByFollowed} or ${isInFollowedList(db, id)})` : isByFollowed
}

/**
 * The condition that bookmarks `b` are in the feed, for statements that find them by it. If the viewer follows no lists,
 * PostgreSQL can read the bookmarks of each followed user.
 */
export function isFoundInFeed(db: Db, follower: Follower): Fragment {
  return follower.follows_lists
    ? isInFeed(db, follower)
    : db`b.user_id in (select followee_id from follows where follower_id = ${follower.id})`
}

/** `from …`: the bookmarks `b` of a feed. One that several followed users and lists have is returned several times. */
export function fromFeed(db: Db, { id, follows_lists }: Follower): Fragment {
  const byFollowed = db`follows f join bookmarks b on b.user_id = f.followee_id and f.follower_id = ${id}`
  return follows_lists
    ? db`(select b.* from ${byFollowed} union all ${bookmarksOfLists(db, id)}) b`
    : byFollowed
}

/** A feed with at most this many bookmarks is read as a whole for the random order, instead of the index of that order. */
const smallFeedMax = 2000

/**
 * Returns how the rows of a feed in random order are found if they are few. Only for viewers who follow lists: for others,
 * PostgreSQL chooses well.
 */
export function fewOfFeed(db: Db, viewerId: number, where: Fragment): { isFew: Fragment; where: Fragment } {
  const limit = db`limit ${inlineNumber(db, smallFeedMax + 1)}`
  // The bookmarks are read per followed user: PostgreSQL would otherwise read those of all users.
  const ids = db`select id from (
      select newest.id from follows f
       cross join lateral (select b.id from bookmarks b where b.user_id = f.followee_id and ${isVisible(db)} ${limit}) newest
       where f.follower_id = ${viewerId}
      union all select b.id from (${bookmarksOfLists(db, viewerId)}) b where ${isVisible(db)}) found ${limit}`
  return {
    // The index of words has no order in which the first few bookmarks with a tag could be read.
    isFew: db`not ${followsTag(db, viewerId)} and (select count(*) <= ${inlineNumber(db, smallFeedMax)} from (${ids}) counted)`,
    where: db`b.id = any (array(${ids})) and ${where}`,
  }
}

/**
 * Selects the `id` and time (`key`) of at least the next `rowCount` rows of a feed, and possibly of further ones. The rows
 * follow the cursor, or precede it if `backwards`. Without a cursor they are the first ones, or the last ones if `backwards`.
 *
 * Each row of the recursive query is a batch: the position where it ends (`at`, `id`), the rows that it adds (`ids`,
 * `keys`), how many rows all batches up to it have (`found`), how many bookmarks of each followed user the next
 * mergedBatch() reads (`size`), and whether the feed ends with it (`is_last`).
 */
export function readFeed(
  db: Db,
  feed: Feed,
  cursor: Cursor<number | string> | null,
  backwards: boolean,
  rowCount: number,
): Fragment {
  const count = inlineNumber(db, rowCount)
  const end = backwards ? db`'-infinity'::timestamptz` : db`'infinity'::timestamptz`
  const start = cursor === null ? end : cursorTime(db, Number(cursor.key))
  const startId = cursor === null ? db`0::bigint` : db`${cursor.id}::bigint`
  const nextBatch = db`
    select feed.step + 1, batch.size, batch.at, batch.id, batch.ids, batch.keys, found + cardinality(batch.ids), batch.is_last
      from feed
      cross join lateral (${recentBatch(db, feed, backwards, rowCount)} union all ${mergedBatch(db, feed, cursor, backwards, rowCount)}) batch
     where found < ${count} and not feed.is_last`
  return db`
    with recursive feed (step, size, at, id, ids, keys, found, is_last) as (
      select 0, ${inlineNumber(db, Math.max(minOfEach, Math.ceil(rowCount / 3)))}, ${start}, ${startId},
             '{}'::bigint[], '{}'::timestamptz[], 0, false
      union all (${nextBatch}))
    select unnest(ids) as id, unnest(keys) as key from feed`
}

/**
 * The condition that the batch is a recentBatch(), and not a mergedBatch(). It is one for viewers who follow many users, until
 * the batches are large.
 */
function readsRecent(db: Db, { follower }: Feed): Fragment {
  return db`(feed.step < ${inlineNumber(db, recentBatches)} and ${inlineNumber(db, firstRecent)} << feed.step
    <= ${inlineNumber(db, recentOfEach)} * (select following_count from users where id = ${follower.id}))`
}

/** Returns a part of a statement that reads followed lists, or nothing for a viewer who follows none. */
function ifLists(db: Db, { follower }: Feed, part: Fragment): Fragment {
  return follower.follows_lists ? part : db``
}

function orderOf(db: Db, backwards: boolean, alias: string): Fragment {
  const row = db(alias)
  return backwards ? db`${row}.created_at, ${row}.id` : db`${row}.created_at desc, ${row}.id desc`
}

function isAfterBatch(db: Db, backwards: boolean): Fragment {
  return db`(b.created_at, b.id) ${db.unsafe(backwards ? '>' : '<')} (feed.at, feed.id)`
}

/**
 * Selects a batch from the newest bookmarks of all users (`scanned`), of which those of followed users and lists are chosen
 * (`known`). It ends with the last scanned bookmark.
 */
function recentBatch(db: Db, feed: Feed, backwards: boolean, rowCount: number): Fragment {
  const size = db`(${inlineNumber(db, firstRecent)} << feed.step)`
  const followed = db`select id, created_at, video_id from scanned where ${isFollowed(db, feed.follower.id, db`user_id`)} offset 0`
  // Each followed bookmark is looked up by its id: the planner does not know how few they are.
  const rows = feed.isUnfiltered
    ? followed
    : db`select matching.* from (${followed}) followed
         cross join lateral (select b.id, b.created_at, b.video_id from bookmarks b
                              where b.id = followed.id and ${feed.condition} limit 1) matching`
  const notPast = db`(b.created_at, b.id) ${db.unsafe(backwards ? '<=' : '>=')}
    ((select created_at from scanned_last), (select id from scanned_last))`
  const position = db`${isAfterBatch(db, backwards)} and ${notPast}`
  const inContainers = newestOfContainers(db, feed, { position, order: orderOf(db, backwards, 'b'), size })
  return db`(
    with scanned as materialized (
      select b.id, b.created_at, b.video_id, b.user_id from bookmarks b
       where ${isVisible(db)} and ${isAfterBatch(db, backwards)} order by ${orderOf(db, backwards, 'b')} limit ${size}
    ), scanned_last as materialized (
      select created_at, id from scanned order by ${orderOf(db, !backwards, 'scanned')} limit 1
    ), known as materialized (
      (${rows})
      ${ifLists(
        db,
        feed,
        db`union all select id, created_at, video_id from (${inContainers}) in_containers
           union all ${scannedWithTags(db, feed)}`,
      )})
    select feed.size, scanned_last.created_at as at, scanned_last.id, shown.ids, shown.keys, false as is_last
      from scanned_last
      cross join lateral (${shownRows(db, feed, db`select * from known`, backwards, rowCount)}) shown
     where ${readsRecent(db, feed)})`
}

/**
 * Selects a batch from the next `size` bookmarks of each source (`known`): of each followed user, collection and channel, and of
 * all followed tags together. A source with `size` bookmarks may have further ones, which are not read. The batch therefore
 * ends with the last bookmark of such a source, of several sources with the one that is first in the order of the feed
 * (`known_last`). Without such a source, all bookmarks were read, and the batch is the last.
 */
function mergedBatch(
  db: Db,
  feed: Feed,
  cursor: Cursor<number | string> | null,
  backwards: boolean,
  rowCount: number,
): Fragment {
  const slices =
    cursor === null
      ? allTimeSlices('own', Date.now() * 1000, 'older', rowCount)
      : timeSlices('own', Number(cursor.key), backwards ? 'newer' : 'older', rowCount)
  const part = {
    position: isAfterBatch(db, backwards),
    order: orderOf(db, backwards, 'b'),
    size: db`feed.size`,
  }
  return db`(
    with known as materialized (
      select newest.* from follows f ${newestOfSource(db, feed, db`b.user_id = f.followee_id`, part)}
       where f.follower_id = ${feed.follower.id}
      ${ifLists(
        db,
        feed,
        db`union all ${newestOfContainers(db, feed, part)}
           union all (${newestOfTags(db, feed, slices, part, backwards)})`,
      )}
    ), known_last as materialized (
      select created_at, id from known where number = feed.size order by ${orderOf(db, backwards, 'known')} limit 1
    )
    select least(2 * feed.size, ${inlineNumber(db, maxOfEach)}), known_last.created_at, known_last.id, shown.ids, shown.keys,
           known_last.id is null
      from (select) batch left join known_last on true
      cross join lateral (${shownRows(
        db,
        feed,
        db`select * from known where known_last.id is null
             or (created_at, id) ${db.unsafe(backwards ? '<=' : '>=')} (known_last.created_at, known_last.id)`,
        backwards,
        rowCount,
      )}) shown
     where not ${readsRecent(db, feed)})`
}

/**
 * Selects the `ids` and times (`keys`) of the bookmarks of a batch that the feed shows, as arrays: of each video the newest,
 * unless the feed has a newer one outside of the batch. Stops when the page is full.
 */
function shownRows(db: Db, feed: Feed, batch: Fragment, backwards: boolean, rowCount: number): Fragment {
  return db`
    select coalesce(array_agg(id), '{}') as ids, coalesce(array_agg(created_at), '{}') as keys
      from (select id, created_at
              from (select * from (
                      select distinct on (video_id) id, created_at, video_id from (${batch}) row
                       order by video_id, created_at desc, id desc) newest
                     order by ${orderOf(db, backwards, 'newest')} offset 0) own
             where feed.at = 'infinity' or not ${hasNewer(db, feed)} limit ${inlineNumber(db, rowCount)}) shown`
}

/** The condition that the feed contains a newer bookmark of the same video than `own`. */
export function hasNewer(db: Db, feed: Feed): Fragment {
  const isNewer = db`b.video_id = own.video_id and (b.created_at, b.id) > (own.created_at, own.id)`
  return savedByFollowed(db, feed, db`own.video_id`, {
    ofFollowed: db`(exists (select ${ofEachFollowed(db, feed, isNewer)})
      ${ifLists(db, feed, db`or exists (${saversInLists(db, feed, db`own.video_id`, isNewer)})`)})`,
    ofVideo: db`exists (select from bookmarks b
      where ${isNewer} and ${feed.condition} and ${isInFeed(db, feed.follower)})`,
  })
}

/** Selects how many other followed users saved the video `v`, at most 99. */
export function otherSaversCount(db: Db, feed: Feed): Fragment {
  return savedByFollowed(db, feed, db`v.id`, {
    ofFollowed: db`(select least(count(distinct user_id), 100)::int - 1
      from ((select f.followee_id as user_id ${ofEachFollowed(db, feed, db`b.video_id = v.id`)} limit 100)
            ${ifLists(db, feed, db`union all (${saversInLists(db, feed, db`v.id`, db`true`)} limit 200)`)}) saver)`,
    ofVideo: db`(select count(distinct user_id)::int - 1
      from (select b.user_id from bookmarks b
             where b.video_id = v.id and ${feed.condition} and ${isInFeed(db, feed.follower)} limit 100) saver)`,
  })
}

/**
 * Returns `ofVideo`, which reads the bookmarks of a video, or `ofFollowed`, which looks the video up for each followed user and
 * list. PostgreSQL evaluates the one that reads fewer rows.
 */
function savedByFollowed(
  db: Db,
  { follower: { id, follows_lists } }: Feed,
  videoId: Fragment,
  { ofFollowed, ofVideo }: { ofFollowed: Fragment; ofVideo: Fragment },
): Fragment {
  return db`case when (select saves_count from videos where id = ${videoId})
                      > (select following_count from users where id = ${id}) ${follows_lists ? db`+ ${countFollowedLists(db, id)}` : db``}
    then ${ofFollowed} else ${ofVideo} end`
}

/** `from …`: the follows `f` of users who have a bookmark `b` that is in the feed and meets a condition. */
function ofEachFollowed(db: Db, feed: Feed, condition: Fragment): Fragment {
  return db`from follows f
    cross join lateral (select from bookmarks b
      where b.user_id = f.followee_id and ${condition} and ${feed.condition} and ${isNotTrashed(db)} limit 1) saved
   where f.follower_id = ${feed.follower.id}`
}
