/**
 * Counts what a search finds in random samples. The bookmarks of a video have the same position in the random order, so a part of
 * that order is a random sample of the videos.
 */
import { type Db, type Fragment, inlineNumber } from '../../core/database/database.ts'
import type { ListingScope } from './listing-segments.ts'
import { isInSample, type SampleShare } from './search-slices.ts'

type Rows = Pick<ListingScope, 'from' | 'where' | 'id'>

/**
 * Counts the videos that a search finds. If so many match in a sample that there must be well over 10,000, the count is
 * estimated from it, otherwise it is exact: with 10,000 results, the samples contain 0.3, 2, 20 and 156 on average.
 */
export function countFound(db: Db, rows: Rows): Fragment {
  return db`coalesce(${fromSmallSamples(db, rows)}, ${fromSample(db, rows, 64, 215)}, (${videosOf(db, rows)}))`
}

/** Estimates how many videos a search finds; few of them roughly. */
export function estimateFound(db: Db, rows: Rows): Fragment {
  return db`coalesce(${fromSmallSamples(db, rows)}, ${fromSample(db, rows, 64, 0)})`
}

function fromSmallSamples(db: Db, rows: Rows): Fragment {
  return db`${fromSample(db, rows, 32_768, 60)}, ${fromSample(db, rows, 4096, 60)}, ${fromSample(db, rows, 512, 60)}`
}

/** Estimates from a sample; null if it contains fewer than `min`. */
function fromSample(db: Db, rows: Rows, share: SampleShare, min: number): Fragment {
  const where = db`${rows.where} and ${isInSample(db, share)}`
  return db`(select videos * ${inlineNumber(db, share)} from (${videosOf(db, { ...rows, where })}) sample
              where videos >= ${inlineNumber(db, min)})`
}

function videosOf(db: Db, { from, where, id }: Rows): Fragment {
  return db`select count(*) as videos
              from (select distinct id from (select ${id} as id from ${from} where ${where} offset 0) matched) found`
}
