import { type ListingQuery, sorts } from '@reelmark/contract/listing.ts'
import type { OrientationFilter } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { readInteger, readOrientation, readPage, readText } from '../../shared/paging/search-params.ts'

type Sort = (typeof sorts)[number]

/** The search parameters of Explore. Parameters at their default are undefined, so that addresses stay short. */
export interface ExploreSearch {
  page?: number | undefined
  sort?: Exclude<Sort, 'all'> | undefined
  orientation?: Exclude<OrientationFilter, 'all'> | undefined
  q?: string | undefined
  tag?: string | undefined
  host?: string | undefined
  /** In seconds. */
  min_duration?: number | undefined
  max_duration?: number | undefined
  /** Dates such as 2025-01-31. */
  saved_after?: string | undefined
  saved_before?: string | undefined
  /** Whether misspelt words are not corrected. */
  literal?: true | undefined
  /** The seed of a random listing, so that its pages do not overlap. */
  seed?: number | undefined
}

/**
 * Reads the search parameters and drops invalid values. Every key is returned, so that invalid parameters are removed
 * from the address.
 */
export function readExploreSearch(search: Record<string, unknown>): ExploreSearch {
  const sort = sorts.find((option) => option === search.sort)
  return {
    page: readPage(search.page),
    sort: sort === 'all' ? undefined : sort,
    orientation: readOrientation(search.orientation),
    q: readText(search.q, limits.searchMax),
    tag: readText(search.tag, limits.tagMax),
    host: readText(search.host, limits.hostMax),
    min_duration: readInteger(search.min_duration, 0, limits.durationMax),
    max_duration: readInteger(search.max_duration, 0, limits.durationMax),
    saved_after: readDay(search.saved_after),
    saved_before: readDay(search.saved_before),
    literal: String(search.literal) === 'true' || undefined,
    seed: sort === 'random' ? readInteger(search.seed, 0, 2_147_483_647) : undefined,
  }
}

function readDay(value: unknown): string | undefined {
  const text = String(value)
  if (!/^[1-9]\d{3}-\d\d-\d\d$/.test(text)) return undefined
  const time = Date.parse(text)
  // JavaScript reads February 30 as March 2.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : undefined
}

/** Returns the query of the listing: the search parameters without undefined values. */
export function exploreQuery(search: ExploreSearch): ListingQuery {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}

/** Returns the search parameters after a change: the first page, and a new seed. */
export function changeSearch(search: ExploreSearch, changes: Partial<ExploreSearch>): ExploreSearch {
  return { ...search, page: undefined, seed: undefined, literal: undefined, ...changes }
}

/** Returns a seed for a random listing. */
export function createSeed(): number {
  return Math.floor(Math.random() * 2_147_483_648)
}
