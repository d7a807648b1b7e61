/**
 * The viewer's own bookmarks, also private ones, with their private notes (docs/decisions/0048-vault-search.md). An index
 * of its own finds those that match words and filters.
 */
import type { FilterTerm } from '@reelmark/contract/search-terms.ts'
import type { Viewer } from '../../core/auth/session.ts'
import { type Db, type Fragment, inlineNumber } from '../../core/database/database.ts'
import { mayBeOfMissingVideo } from '../../shared/missing-videos.ts'
import { isOwnName } from '../../shared/usernames.ts'
import { isInLibraryUnjoined, isNotRemoved, isNotTrashed, isTrashed } from '../../shared/visibility.ts'
import type { ListingFilter } from './listing-filter.ts'
import type { ListingScope } from './listing-segments.ts'
import { longList, longListCount, minStoredCount } from './long-lists.ts'
import { findsMissing, hasTimeIndex, isDate, isOfWatching } from './search-filters.ts'
import type { SearchCondition } from './search-queries.ts'
import type { SlicedTime } from './search-slices.ts'
import { hasKeys, keyArray, vaultKeys } from './vault-keys.ts'

/** Returns whether a listing contains the viewer's own bookmarks only. */
export function isVault(
  { user, isTrash, findsOwnOnly }: ListingFilter,
  viewer: Viewer | null,
): viewer is Viewer {
  if (viewer === null) return false
  if (isTrash) return true
  return user === null ? findsOwnOnly : isOwnName(user, viewer)
}

/** Returns whether the index of own bookmarks finds the rows, and not an index of their order. */
function isIndexed({ search, excludesOnly, filters, orientation }: ListingFilter): boolean {
  // The bookmarks of each gone video are looked up, and words are a condition of them.
  if (filters.some(findsMissing)) return false
  return (search !== null && !excludesOnly) || orientation !== null || filters.some(hasKeys)
}

/** How the index of own bookmarks finds those of a list of which it does not find the rows, to count a sample of them. */
export interface OwnSample {
  cells: Fragment
  scope: Fragment
  matches: (search: SearchCondition) => Fragment
}

/** How the own bookmarks of a list are found in the indexes of their orders. */
export interface OwnInOrder extends Pick<OwnSample, 'scope' | 'matches'> {
  /** The `scope` in an index of the bookmarks of each user, of which a collection has some. */
  scopeOfUser: Fragment
  /** Whether the list contains all own bookmarks if it has no search, filter and orientation. */
  isWhole: boolean
  /** Whether an index by time contains all columns of the conditions, so that counting reads no bookmark. */
  isIndexOnly: boolean
  /** The number of own bookmarks, at least 20,000. */
  size: Fragment
  /** The `scope` with the bookmarks of removed videos, if the list is whole and `isIndexOnly`; else null. */
  withRemoved: Fragment | null
}

interface VaultSource extends Partial<Pick<ListingScope, 'isSearch'>> {
  cells: Fragment | null
  sample: OwnSample
  /** Undefined for the trash. */
  inOrder?: OwnInOrder
  scope: Fragment
  slicedTime?: SlicedTime
  matches: (search: SearchCondition) => Fragment
}

/** Returns the expressions of the index of own bookmarks (bookmarks_vault), and the condition that it finds words of a user's. */
export function vaultIndex(db: Db, userId: number) {
  return {
    hasWords: (tsquery: Fragment) =>
      db`vault_lexemes(b.user_id, b.search_vector, b.private_note) @@ own_query(${tsquery}, ${userId})`,
    cells: db`vault_cells(b.created_at, b.random_key, b.search_vector, b.private_note)`,
    keys: db`vault_keys(b.user_id, b.collection_id, b.channel_id, b.deleted_at, b.is_public, b.tags, b.lacks_picture,
      b.lacks_player, b.effective_orientation, b.effective_duration)`,
  }
}

/** Returns the rows of a listing of the viewer's own bookmarks. */
export function vaultSource(db: Db, filter: ListingFilter, viewer: Viewer, liked: Fragment): VaultSource {
  const { channel, collection, isTrash, likedBy } = filter
  // A removed video's status is looked up only for the few bookmarks that are not visible.
  const shown = isTrash
    ? db`${isTrashed(db)} and exists (select from videos v where v.id = b.video_id and ${isNotRemoved(db)})`
    : isInLibraryUnjoined(db)
  const containers = db`
    ${channel === null ? db`` : db`and b.channel_id = ${channel}`}
    ${collection === null ? db`` : db`and b.collection_id = ${collection}`}`
  const { hasWords, cells, keys } = vaultIndex(db, viewer.id)
  const words = db`vault_words(b.search_vector, b.private_note)`
  const { all, any } = vaultKeys(viewer.id, filter)
  const indexed: OwnSample = {
    cells,
    // `is true`: the owner is a condition for the rows, not for another index, which would read all of their bookmarks.
    scope: db`${shown} and (b.user_id = ${viewer.id}) is true and ${keys} @> ${keyArray(db, all)}
      ${any.reduce((conditions, list) => db`${conditions} and ${keys} && ${keyArray(db, list)}`, db``)} ${liked}`,
    matches: ({ tsquery, indexed: phrases }) => {
      const isMatch = db`(${words} @@ ${tsquery}) is true`
      if (filter.excludesOnly) return isMatch
      if (phrases === null) return hasWords(tsquery)
      return db`${phrases.tsquery === null ? db`` : db`${hasWords(phrases.tsquery)} and`}
        ${cells} @> ${phrases.pairKeys} and ${isMatch}`
    },
  }
  // One scan of the index of destinations finds those of all gone videos.
  const isMissing = filter.filters.some(findsMissing) ? db`and ${mayBeOfMissingVideo(db)}` : db``
  const isOwn = db`(b.user_id = ${viewer.id})`
  const isWhole = channel === null && collection === null && likedBy === null
  const isIndexOnly = likedBy === null && filter.search === null && hasIndexedColumns(filter)
  const ordered: OwnInOrder = {
    // `is true`: a collection is read in its own index, and not in that of destinations, which begins with the owner.
    scope: db`${shown} and ${channel === null && collection === null ? isOwn : db`${isOwn} is true`} ${containers} ${liked} ${isMissing}`,
    // `coalesce`: the words are a condition for the rows, not for the index of words, and PostgreSQL must not expect them to be rare.
    matches: ({ tsquery }) => db`coalesce(${words} @@ ${tsquery}, false)`,
    scopeOfUser: isWhole
      ? db`${shown} and ${isOwn}`
      : db`${shown} and ${isOwn} and coalesce((true ${containers} ${liked}), false)`,
    isWhole,
    withRemoved: isWhole && isIndexOnly ? db`${isNotTrashed(db)} and ${isOwn}` : null,
    isIndexOnly,
    size: db`coalesce((${longListCount(db, longList(db, 'library', db`${viewer.id}::bigint`))}), ${inlineNumber(db, minStoredCount)})`,
  }
  const inOrder = isTrash ? {} : { inOrder: ordered }
  if (isIndexed(filter)) return { ...indexed, isSearch: true, slicedTime: 'own', sample: indexed, ...inOrder }
  const { scope, matches } = ordered
  return { cells: null, scope, matches, sample: indexed, ...inOrder }
}

/** Returns whether the indexes of own bookmarks by time contain all columns that the filters of a list compare. */
function hasIndexedColumns({ filters, channel, collection }: ListingFilter): boolean {
  // Those of collections and channels contain the orientation and the video.
  if (channel !== null || collection !== null) {
    const isAdult = (filter: FilterTerm) => filter.kind === 'is' && filter.state === 'adult'
    return filters.every((filter) => isDate(filter) || isAdult(filter) || isOfWatching(filter))
  }
  // Private and untagged ones have an index each, which contains only them.
  const [separate, others] = [filters.filter(hasTimeIndex), filters.filter((filter) => !hasTimeIndex(filter))]
  return (
    separate.length <= 1 &&
    !others.some(
      (filter) =>
        // Reading all to find the few of gone videos would take longer.
        findsMissing(filter) ||
        (filter.kind === 'no' && filter.part === 'tag') ||
        (filter.kind === 'is' && (filter.state === 'later' || filter.state === 'private')),
    )
  )
}
