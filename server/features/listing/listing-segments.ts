/** The parts of a plan of a listing: its rows, and the segments in which they are read. */
import type { Fragment } from '../../core/database/database.ts'
import type { Cursor } from '../../core/http/cursor.ts'
import type { Feed } from './feed.ts'
import type { OwnRows } from './own-counts.ts'
import type { SlicedOrder } from './search-slices.ts'

/** Bookmarks in the order of an index, by `key` and then by `id`. A cursor names one of at most `maxSegments` of these. */
export interface ListingSegment extends ListingScope {
  key: Fragment
  isAscending: boolean
  cursorKey: SegmentCursorKey
  /** The viewer, if the newest bookmarks of each followed user are merged; else null. */
  follower: number | null
  /** `and …`: the row comes after those of the segment before. A cursor within the segment implies it. */
  afterEarlier?: Fragment
  /** `and …`: excludes further rows that the segment before contains. */
  without?: Fragment
  /**
   * The slices that a search reads one after the other, from the cursor on, of which at most so many rows are read; null if an index has
   * the order of the rows.
   */
  slices: ((cursor: Cursor<number | string> | null, rowCount: number) => SlicedOrder) | null
  /** Whether the slices are read, and not all rows at once; null if a sample of the rows says so. */
  isFrequent?: boolean | null
  /** The condition for the rows of that sample if it is not `where`. */
  sampled?: Fragment
  /**
   * Whether the segment is not read, because it is known to be empty or another one has its rows, too. It counts in the numbers of
   * segments in cursors.
   */
  isSkipped?: boolean
  /** How the rows are found if they are few: an index of the order would be read far until the page is full. */
  few?: { isFew: Fragment; where: Fragment }
}

export const maxSegments = 4

/** Converts the `key` of a segment to that of a cursor, and back. */
export interface SegmentCursorKey {
  type: 'number' | 'string'
  fromKey: (key: Fragment) => Fragment
  toKey: (cursorKey: number | string) => Fragment
  /** Whether many rows have the same key, as with counts. The index must contain the id after the key. */
  hasTies?: boolean
}

/** The rows of a listing, all segments together, as they are counted. */
export interface ListingScope {
  from: Fragment
  where: Fragment
  /** The id of the bookmark that is shown for a row. */
  id: Fragment
  /**
   * Whether the rows are all bookmarks that match a search. Several can show the same one, the lead bookmark of their video.
   */
  isSearch: boolean
  /** The feed, if the listing is one: each video is then listed and counted once. Null for other listings. */
  feed?: Feed | null
  /** The cells of the index of a search in own bookmarks; null for the index of public searches. */
  cells: Fragment | null
  /** How own bookmarks are read; undefined for other lists. */
  own?: OwnRows | undefined
  /** `… as …,`: rows that the segments and the count read, to be named in the `with` of their statement. */
  named?: Fragment | undefined
  /** Selects a `count` that a job stored, or an estimate, and no row for a short list. Null if there is neither. */
  storedCount: Fragment | null
  /**
   * Whether PostgreSQL is not told how many rows are read for a far page. It would otherwise sort all rows, because it expects almost all to
   * be needed, although reading them in order soon finds those that match.
   */
  hidesLimit?: boolean
  /** The number of the rows, if it is read in another way than by counting them. */
  exactCount?: Fragment
}
