import { type ListingQuery, sorts } from '@reelmark/contract/listing.ts'
import type { OrientationFilter } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { readInteger, readOrientation, readPage, readText } from '../../shared/paging/search-params.ts'

type Sort = (typeof sorts)[number]

/** Explore's address. What is at its default is undefined, so that addresses stay short. */
export interface ExploreSearch {
  page?: number | undefined
  sort?: Exclude<Sort, 'all'> | undefined
  orientation?: Exclude<OrientationFilter, 'all'> | undefined
  q?: string | undefined
  tag?: string | undefined
  /** Of a random listing, so that its pages have nothing twice. */
  seed?: number | undefined
}

/** Reads the address; what makes no sense in it is left out. Every key is named, so that nonsense does not stay. */
export function readExploreSearch(search: Record<string, unknown>): ExploreSearch {
  const sort = sorts.find((option) => option === search.sort)
  return {
    page: readPage(search.page),
    sort: sort === 'all' ? undefined : sort,
    orientation: readOrientation(search.orientation),
    q: readText(search.q, limits.searchMax),
    tag: readText(search.tag, limits.tagMax),
    seed: sort === 'random' ? readInteger(search.seed, 0, 2_147_483_647) : undefined,
  }
}

/** What the listing is asked for: the address without what is undefined. */
export function exploreQuery(search: ExploreSearch): ListingQuery {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}

/** Another sort, filter or search starts at its first page, and a random listing anew. */
export function changeSearch(search: ExploreSearch, change: Partial<ExploreSearch>): ExploreSearch {
  return { ...search, page: undefined, seed: undefined, ...change }
}

/** A seed for a random listing that has none. */
export function createSeed(): number {
  return Math.floor(Math.random() * 2_147_483_648)
}
