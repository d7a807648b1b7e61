import type { Db, Fragment } from '../../core/database/database.ts'
import type { ListingSegment } from './listing-segments.ts'
import { hasKey, isInSlices, type Slice, type SlicedOrder, sampleKey } from './search-slices.ts'

/**
 * Reads the bookmarks that match a search slice by slice. The rows are in order, because the slices are read one after the
 * other and each is ordered, and those after the last row that is needed are not read. A video has all its bookmarks in one
 * slice. `offset 0` has PostgreSQL find the matches before it orders them: by the index of words, whatever it expects.
 */
export function readSlices(
  db: Db,
  { id, key, from, where }: ListingSegment,
  { slices, whole }: SlicedOrder,
  position: Fragment,
  end: Fragment,
): Fragment {
  const keys = (parts: Slice[]) => db`${parts.map((slice) => `{${slice.join()}}`)}::text[]`
  const isFrequent = db`exists (select from ${from} where ${where} and ${hasKey(db, sampleKey(512))})`
  return db`select found.id, found.key
      from unnest(case when ${isFrequent} then ${keys(slices)} else ${keys([whole])} end) slice (keys)
      cross join lateral (
        select distinct id, key
          from (select ${id} as id, ${key} as key from ${from}
                 where ${where} ${position} and ${isInSlices(db, db`slice.keys::int[]`)} offset 0) matched
         ${end}) found`
}
