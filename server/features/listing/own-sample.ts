/**
 * What a statement reads once about own bookmarks that match a list: a random 64th part of them, which says how the page is
 * read and estimates how many match, and all of them if they are few, from which the page is taken and which are counted.
 */
import { type Db, type Fragment, inlineNumber } from '../../core/database/database.ts'
import type { ListingOrder } from './listing-orders.ts'
import type { ListingScope, ListingSegment } from './listing-segments.ts'
import { isInSample } from './search-slices.ts'

export interface OwnRows {
  /** Selects the sample. */
  sample: Fragment
  /** How many match; undefined for lists whose count does not need the sample. */
  count?: OwnCount | undefined
}

/** How own bookmarks are counted; `few` or `inOrder` is not null. */
export interface OwnCount {
  /** The condition that so few match that all are read at once, and what selects them; null if an index of their order counts them. */
  few: { isFew: Fragment; matches: Fragment } | null
  /** Selects up to `limits.exactCountMax + 1` of them in the order of an index; null without an index that contains their columns. */
  inOrder: Fragment | null
  /** Whether they are counted before a sample is read: an index finds those between two dates, and those of gone videos. */
  isCountedFirst: boolean
}

/** A sample with at least this many bookmarks is of well over 10,000 matches: with 10,000, it has 156 on average. */
const manySampled = 240

/**
 * Selects the sample of the own bookmarks that an index finds by `where`, by the expression of the cells of that index, and for each
 * whether it matches the list.
 */
export function selectOwnSample(
  db: Db,
  { where, cells, isMatch }: { where: Fragment; cells: Fragment; isMatch: Fragment },
): Fragment {
  return db`select ${isMatch} as is_match from bookmarks b where ${where} and ${isInSample(db, 64, cells)}`
}

/** Selects the own bookmarks of `where`, with the columns that orders need. Titles are long: only their order has them copied. */
export function selectOwnMatches(db: Db, where: Fragment, order: ListingOrder): Fragment {
  const title = order === 'title' ? db`, b.title` : db``
  return db`select b.id, b.created_at, b.video_id, b.is_visible, b.effective_duration, b.random_key ${title}
              from bookmarks b where ${where}`
}

/** `own_sample as …,`: names what the segments and the count of own bookmarks read, in a `with`. Empty for other lists. */
export function nameOwnRows(db: Db, { own }: { own?: OwnRows | undefined }): Fragment {
  if (own === undefined) return db``
  const few = own.count?.few
  // The condition is evaluated once; if it is false, no bookmark is read.
  const matches = few ? db`own_matches as materialized (${few.matches} and ${few.isFew}),` : db``
  return db`own_sample as materialized (${own.sample}), ${matches}`
}

/** How the own bookmarks of a condition are found if all that match the list are read; nothing for other lists. */
export function fewOwn(db: Db, { own }: ListingScope, where: Fragment): Pick<ListingSegment, 'few'> {
  const isFew = own?.count?.few?.isFew
  return isFew ? { few: { isFew, from: db`own_matches b`, where } } : {}
}

/** The condition that the sample contains fewer than `min` matches. */
export function hasFewSampled(db: Db, min: Fragment): Fragment {
  return db`(${sampleSize(db)} < ${min})`
}

/**
 * The condition that all matches are read at once. Where an index of the order contains the columns of the list, counting in it is
 * faster unless few are to be read: reading a bookmark takes about as long as reading 20 rows of the index, which has `size` rows.
 */
export function isFewToRead(db: Db, size: Fragment | null): Fragment {
  const notMany = hasFewSampled(db, inlineNumber(db, manySampled))
  return size === null ? notMany : db`(${notMany} and ${rowsSampled(db)} < ${size} / (20.0 * 64))`
}

/**
 * The condition that finding and sorting the matching own bookmarks is faster than reading an index of the order until a page is
 * full. Both take equally long if the number of matches multiplied by the number of bookmarks to read is about 40 times the number
 * of own bookmarks.
 */
export function isFewToSort(db: Db, size: Fragment): Fragment {
  return db`(greatest(${sampleSize(db)}, 1) * ${rowsSampled(db)} < ${size} / 100.0)`
}

/** Counts own bookmarks exactly up to `max`, and estimates above by the sample. */
export function countOwn(db: Db, count: OwnCount, max: Fragment): Fragment {
  const exact = countExactly(db, count, max)
  if (count.isCountedFirst) return exact
  return db`case when ${sampleSize(db)} >= ${inlineNumber(db, manySampled)} then ${sampleSize(db)} * 64 else ${exact} end`
}

function countExactly(db: Db, { few, inOrder }: OwnCount, max: Fragment): Fragment {
  const read = db`(select count(*) from own_matches)`
  if (inOrder === null) return read
  const inIndex = db`(select case when count(*) <= ${max} then count(*) else greatest(count(*), ${sampleSize(db)} * 64) end
                        from (${inOrder}) matched)`
  return few === null ? inIndex : db`case when ${few.isFew} then ${read} else ${inIndex} end`
}

/** How many bookmarks of the sample match. */
function sampleSize(db: Db): Fragment {
  return db`(select count(*) from own_sample where is_match)`
}

/** How many bookmarks of the sample are read to find those that match: no index contains everything that lists are filtered by. */
function rowsSampled(db: Db): Fragment {
  return db`(select count(*) from own_sample)`
}
