/** Which bookmarks a listing is of and in what order: the `where`s of decisions.md, Visibility, in one place. */
import { type Orientation, orientations } from '@reelmark/contract/protocol/fields.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import {
  andNotHidden,
  andTagsNotMuted,
  hiddenUserIds,
  type VisibilityViewer,
} from '../users/blocks/user-visibility.ts'

export interface ListingFilter {
  orientation: Orientation | null
  /** What `search` must match, made by search.ts; null: anything. */
  search: Fragment | null
  /** Tags that the search names: shown although muted. */
  tags: string[]
  /** Matches that come after all others: of a misspelt search. */
  closeSearch: Fragment | null
  user: string | null
  likedBy: string | null
  channel: number | null
  collection: number | null
  /** Only of people whom the viewer follows. */
  following: boolean
  /** Where the random order starts, 0 to 1; null: newest first. */
  randomStart: number | null
}

export interface ListingViewer extends VisibilityViewer {
  username: string
}

/** Bookmarks `b` in the order of an index, descending by `key` and then by `b.id`. A listing is one or two of these. */
export interface ListingSegment {
  from: Fragment
  where: Fragment
  key: Fragment
  /** `key` as a number that a cursor holds, and back. */
  keyNumber: (key: Fragment) => Fragment
  keyOf: (number: number) => Fragment
  /** Whose followed people's newest are merged: their rows are taken one person at a time. */
  follower: number | null
}

/** What is counted: all segments together. */
export type ListingScope = Pick<ListingSegment, 'from' | 'where'>

/** The listing's segments in order, and their sum. */
export function planListing(
  db: Db,
  filter: ListingFilter,
  viewer: ListingViewer | null,
): { whole: ListingScope; segments: ListingSegment[] } {
  const { from, scope, key, follower } = listingSource(db, filter, viewer)
  const where = (search: Fragment | null) => db`${scope}
    ${filter.orientation === null ? db`` : db`and b.orientation = ${orientationLiteral(db, filter.orientation)}`}
    ${search === null ? db`` : db`and b.search @@ ${search}`}`

  const { search, closeSearch, randomStart } = filter
  const whole = { from, where: where(closeSearch ?? search) }
  if (randomStart !== null) {
    const byChance = { from, key: db`b.random_key`, ...identityKey(db), follower: null }
    return {
      whole,
      segments: [
        { ...byChance, where: db`${whole.where} and b.random_key <= ${randomStart}::float8` },
        { ...byChance, where: db`${whole.where} and b.random_key > ${randomStart}::float8` },
      ],
    }
  }
  const newest = { from, key, ...asMicroseconds(db), follower }
  const segments: ListingSegment[] = [{ ...newest, where: where(search) }]
  if (closeSearch !== null && search !== null) {
    segments.push({ ...newest, where: db`${where(closeSearch)} and not b.search @@ ${search}` })
  }
  return { whole, segments }
}

/** One of our own five words, written out: bound, its statement would be planned anew each time. */
function orientationLiteral(db: Db, orientation: Orientation): Fragment {
  return db.unsafe(`'${orientations[orientations.indexOf(orientation)]}'`) as Fragment
}

/** Who is asked about and who asks decide which index serves, and what may be seen. */
function listingSource(db: Db, filter: ListingFilter, viewer: ListingViewer | null) {
  const { user, likedBy, channel, collection, following, randomStart } = filter
  const newest = db`b.created_at`
  // Of whom one blocked the other neither finds the other's. Told of the person or the place and not of each row: the
  // rows of somebody out of sight are then not read at all.
  const userId = (username: string) =>
    db`(select id from users where lower(username) = lower(${username}) ${andNotHidden(db, db`id`, viewer)})`
  // What somebody muted does not come up either, but on pages that they open themselves.
  const muting = { muted: true }
  const notMuted = andTagsNotMuted(db, db`b.tags`, viewer, filter.tags)
  const liked =
    likedBy === null
      ? db``
      : db`and exists (select from likes l where l.user_id = ${userId(likedBy)} and l.video_id = b.video_id)`

  if (user !== null || channel !== null || collection !== null) {
    const own = user !== null && viewer !== null && viewer.username.toLowerCase() === user.toLowerCase()
    const ownOnes = viewer === null ? db`false` : db`b.user_id = ${viewer.id} and ${isNotTrashed(db)}`
    const who = user === null ? db`` : db`and b.user_id = ${own ? db`${viewer.id}` : userId(user)}`
    // Told apart here where it can be: an `or` would keep the indexes of visible bookmarks from being used.
    const may = own
      ? db`${isNotTrashed(db)}`
      : user !== null
        ? db`b.is_visible`
        : db`(b.is_visible or (${ownOnes}))`
    return {
      from: db`bookmarks b`,
      scope: db`${may} ${who}
        ${channel === null ? db`` : db`and b.channel_id = ${channel}`}
        ${collection === null ? db`` : db`and b.collection_id = ${collection}`}
        ${following && viewer !== null ? db`and ${followedIds(db, viewer)}` : db``} ${liked}
        ${user === null ? andContainerOwnerVisible(db, filter, viewer) : db``}`,
      key: newest,
      follower: null,
    }
  }
  if (following && viewer !== null) {
    if (randomStart !== null) {
      const scope = db`b.is_visible and ${followedIds(db, viewer)} ${liked}
        ${andNotHidden(db, db`b.user_id`, viewer, muting)} ${notMuted}`
      return { from: db`bookmarks b`, scope, key: newest, follower: null }
    }
    return {
      from: db`follows f join bookmarks b on b.user_id = f.followee_id and f.follower_id = ${viewer.id}`,
      scope: db`b.is_visible ${liked} ${andNotHidden(db, db`f.followee_id`, viewer, muting)} ${notMuted}`,
      key: newest,
      follower: viewer.id,
    }
  }
  if (likedBy !== null) {
    return {
      from: db`likes l join videos lv on lv.id = l.video_id join bookmarks b on b.id = lv.lead_bookmark_id`,
      scope: db`l.user_id = ${userId(likedBy)} and b.is_listed ${andNotHidden(db, db`b.user_id`, viewer)}`,
      key: db`l.created_at`,
      follower: null,
    }
  }
  const scope = db`b.is_listed ${andNotHidden(db, db`b.user_id`, viewer, muting)} ${notMuted}`
  return { from: db`bookmarks b`, scope, key: newest, follower: null }
}

/** That whose collection or channel it is is somebody whom the viewer finds: `and …`, or nothing. */
function andContainerOwnerVisible(
  db: Db,
  { channel, collection }: ListingFilter,
  viewer: ListingViewer | null,
): Fragment {
  const hiddenIds = hiddenUserIds(db, viewer)
  if (hiddenIds === null) return db``
  const owner =
    channel === null
      ? db`select user_id from collections where id = ${collection}`
      : db`select c.user_id from channels ch join collections c on c.id = ch.collection_id where ch.id = ${channel}`
  return db`and (${owner}) not in (${hiddenIds})`
}

/** Of one's own: neither in the trash nor removed by a moderator. */
function isNotTrashed(db: Db) {
  // What is visible is not removed: the video is looked at for the few others only.
  return db`b.deleted_at is null and (b.is_visible
    or (select own.status from videos own where own.id = b.video_id) <> 'removed')`
}

function followedIds(db: Db, viewer: ListingViewer) {
  return db`b.user_id in (select followee_id from follows where follower_id = ${viewer.id})`
}

function asMicroseconds(db: Db): Pick<ListingSegment, 'keyNumber' | 'keyOf'> {
  return {
    keyNumber: (key) => db`(extract(epoch from ${key}) * 1000000)::bigint`,
    keyOf: (number) => db`(timestamptz 'epoch' + ${number}::float8 * interval '1 microsecond')`,
  }
}

function identityKey(db: Db): Pick<ListingSegment, 'keyNumber' | 'keyOf'> {
  return { keyNumber: (key) => key, keyOf: (number) => db`${number}::float8` }
}
