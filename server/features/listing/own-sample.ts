/**
 * A random 64th part of the own bookmarks that match a list. A statement reads it once: it says how the page is read, and how many
 * bookmarks match if they are many.
 */
import type { Db, Fragment } from '../../core/database/database.ts'
import { isInSample } from './search-slices.ts'

/** The own bookmarks that match, and the expression of the cells of their index. */
interface OwnRows {
  where: Fragment
  cells: Fragment
}

/** Selects the sample. */
export function selectOwnSample(db: Db, { where, cells }: OwnRows): Fragment {
  return db`select b.random_key from bookmarks b where ${where} and ${isInSample(db, 64, cells)}`
}

/** `own_sample as …,`: names the sample in the `with` of a statement that reads segments of own bookmarks. Empty for other lists. */
export function nameOwnSample(db: Db, { ownSample }: { ownSample?: Fragment | undefined }): Fragment {
  return ownSample === undefined ? db`` : db`own_sample as materialized (${ownSample}),`
}

/** Selects the estimated `matches` if the sample contains at least 240, and otherwise no row. */
export function estimateOwn(db: Db): Fragment {
  return db`select count(*) * 64 as matches from own_sample having count(*) >= 240`
}

/** The condition that the sample contains fewer than `min` matches. */
export function hasFewSampled(db: Db, min: Fragment): Fragment {
  return db`((select count(*) from own_sample) < ${min})`
}

/** The condition that so many match that the first slices of their order contain some. */
export function isFrequentOwn(db: Db): Fragment {
  return db`exists (select from own_sample where random_key < 1.0 / 512)`
}

/**
 * The condition that finding and sorting the matching own bookmarks is faster than reading an index of the order until a page is
 * full. Both take equally long if the square of the number of matches is about eight times the number of own bookmarks.
 */
export function isFewOwn(db: Db, size: Fragment): Fragment {
  return hasFewSampled(db, db`ceil(sqrt(${size} / 500.0))`)
}
