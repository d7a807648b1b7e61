import { type ListingQuery, sorts } from '@reelmark/contract/listing.ts'
import { type OrientationFilter, orientationFilters } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'

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

function readInteger(value: unknown, min: number, max: number): number | undefined {
  const number =
    typeof value === 'number' ? value : /^\d{1,10}$/.test(String(value)) ? Number(value) : Number.NaN
  return Number.isInteger(number) && number >= min && number <= max ? number : undefined
}

function readText(value: unknown, max: number): string | undefined {
  const given = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  // Without what no call takes: an odd address shows a page all the same.
  const text = given.replaceAll('\0', '').trim().slice(0, max).toWellFormed()
  return text === '' ? undefined : text
}

/** `page` of an address: from 2 on; undefined is the first. */
export function readPage(value: unknown): number | undefined {
  return readInteger(value, 2, 1_000_000)
}

/** An id in an address; undefined where it can be none. */
export function readId(value: unknown): number | undefined {
  return readInteger(value, 1, 9_999_999_999)
}

/** `orientation` of an address; undefined is all. */
export function readOrientation(value: unknown): Exclude<OrientationFilter, 'all'> | undefined {
  const filter = orientationFilters.find((option) => option === value)
  return filter === 'all' ? undefined : filter
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
