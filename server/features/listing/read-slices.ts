import type { Db, Fragment } from '../../core/database/database.ts'
import type { ListingSegment } from './listing-segments.ts'
import { isInSample, isInSlices, type SampleShare, type Slice, type SlicedOrder } from './search-slices.ts'

/** A column of bookmarks that the rows of a window have besides `id` and `key`. */
export type WindowColumn = 'video_id' | 'is_visible'

/** `, …`: columns of an alias. */
export function columnsOf(db: Db, alias: string, columns: readonly WindowColumn[]): Fragment {
  return columns.reduce((all, name) => db`${all}, ${db(alias)}.${db(name)}`, db``)
}

/**
 * Reads the bookmarks that match a search slice by slice. The rows are in order, because the slices are read one after the
 * other and each is ordered, and those after the last row that is needed are not read. A video has all its bookmarks in one
 * slice. `columns` are further ones of bookmarks `b`. `offset 0` has PostgreSQL find the matches before it orders them: by the
 * index of words, whatever it expects.
 */
export function readSlices(
  db: Db,
  {
    id,
    key,
    from,
    where,
    cells = null,
    isFrequent = null,
    sampled = where,
    columns = [],
  }: Pick<ListingSegment, 'id' | 'key' | 'from' | 'where' | 'cells' | 'isFrequent' | 'sampled'> & {
    columns?: readonly WindowColumn[]
  },
  { slices, whole }: SlicedOrder,
  position: Fragment,
  end: Fragment,
): Fragment {
  const keys = (parts: Slice[]) => db`${parts.map((slice) => `{${slice.join()}}`)}::text[]`
  const found = (share: SampleShare) => db`${from} where ${sampled} and ${isInSample(db, share, cells)}`
  // PostgreSQL reads all matches of a sample: those of the smaller ones suffice for a common word. One video of the last sample can
  // have a rare word by chance.
  const isFound = db`exists (select from ${found(32_768)}) or exists (select from ${found(4096)})
      or (select min(${id}) < max(${id}) from ${found(512)})`
  const chosen =
    isFrequent === null
      ? db`case when ${isFound} then ${keys(slices)} else ${keys([whole])} end`
      : keys(isFrequent ? slices : [whole])
  return db`select found.id, found.key ${columnsOf(db, 'found', columns)}
      from unnest(${chosen}) slice (keys)
      cross join lateral (
        select distinct id, key ${columnsOf(db, 'matched', columns)}
          from (select ${id} as id, ${key} as key ${columnsOf(db, 'b', columns)} from ${from}
                 where ${where} ${position} and ${isInSlices(db, db`slice.keys::int[]`, cells)} offset 0) matched
         ${end}) found`
}
