import { type ListingQuery, listingOrders, sorts } from '@reelmark/contract/listing.ts'
import type { BookmarkAccess, OrientationFilter } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import {
  readId,
  readInteger,
  readOrientation,
  readPage,
  readText,
} from '../../shared/paging/search-params.ts'
import { readLink } from './search/link.ts'

/** `manual` is the order of a collection or channel. */
type Sort = (typeof sorts)[number]

/** The filters that lists of bookmarks have in their address. */
export interface FilterSearch {
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
  /** Whether the viewer has watched the videos. */
  watched?: boolean | undefined
  /** This and the following filters apply to the viewer's own bookmarks. */
  access?: BookmarkAccess | undefined
  collection?: number | undefined
  untagged?: true | undefined
  no_picture?: true | undefined
  no_player?: true | undefined
  /** Whether misspelt words are not corrected. */
  literal?: true | undefined
}

/** The search parameters of Explore. Parameters at their default are undefined, so that addresses stay short. */
export interface ExploreSearch extends FilterSearch {
  page?: number | undefined
  sort?: Exclude<Sort, 'all'> | undefined
  /** The seed of a random listing, so that its pages do not overlap. */
  seed?: number | undefined
}

/** Reads the filters of a list of bookmarks from its address and drops invalid values. */
export function readFilters(search: Record<string, unknown>): FilterSearch {
  const readTrue = (name: string) => readFlag(search[name]) || undefined
  let min_duration = readInteger(search.min_duration, 0, limits.durationMax)
  let max_duration = readInteger(search.max_duration, 0, limits.durationMax)
  let saved_after = readDay(search.saved_after)
  let saved_before = readDay(search.saved_before)
  // The API refuses ranges that end before they begin.
  if (Number(min_duration) > Number(max_duration)) min_duration = max_duration = undefined
  if (saved_after && saved_before && saved_after >= saved_before) saved_after = saved_before = undefined
  return {
    orientation: readOrientation(search.orientation),
    q: readSearchText(search.q),
    tag: readText(search.tag, limits.tagMax),
    host: readText(search.host, limits.hostMax),
    min_duration,
    max_duration,
    saved_after,
    saved_before,
    watched: readFlag(search.watched),
    access: search.access === 'private' || search.access === 'public' ? search.access : undefined,
    collection: readId(search.collection),
    untagged: readTrue('untagged'),
    no_picture: readTrue('no_picture'),
    no_player: readTrue('no_player'),
    literal: readTrue('literal'),
  }
}

/** Returns an order of a list of bookmarks; undefined is newest first, or the best match for a search. */
export function readOrder({ sort }: Record<string, unknown>, q: string | undefined): ListOrder | undefined {
  const order = listingOrders.find((option) => option === sort)
  return order === defaultSort(q) || (order === 'relevance' && q === undefined) ? undefined : order
}

export type ListOrder = (typeof listingOrders)[number]

/** The search parameters of a list of bookmarks other than Explore. */
export interface ListSearch extends FilterSearch {
  page?: number | undefined
  sort?: ListOrder | 'manual' | undefined
}

/** Reads the search parameters of a list and drops invalid values. */
export function readListSearch(search: Record<string, unknown>): ListSearch {
  const filters = readFilters(search)
  return { ...filters, page: readPage(search.page), sort: readOrder(search, filters.q) }
}

/**
 * Reads the search parameters and drops invalid values. Every key is returned, so that invalid parameters are removed
 * from the address.
 */
export function readExploreSearch(search: Record<string, unknown>): ExploreSearch {
  const filters = readFilters(search)
  const { q } = filters
  const sort = sorts.find((option) => option === search.sort && option !== 'manual')
  // `all` is newest first, and so is `relevance` without a search.
  const chosen = sort === 'all' || (sort === 'relevance' && q === undefined) ? 'newest' : sort
  return {
    page: readPage(search.page),
    sort: chosen === defaultSort(q) ? undefined : chosen,
    ...filters,
    seed: sort === 'random' ? readInteger(search.seed, 0, 2_147_483_647) : undefined,
  }
}

/** Reads a search. A pasted link may be longer than other searches, because it is not searched for. */
function readSearchText(value: unknown): string | undefined {
  const text = readText(value, limits.urlMax)
  return text === undefined || readLink(text) !== null ? text : readText(text, limits.searchMax)
}

function readFlag(value: unknown): boolean | undefined {
  const text = String(value)
  return text === 'true' || text === 'false' ? text === 'true' : undefined
}

/** Returns the order that applies until another one is chosen: the best match for a search, otherwise the newest first. */
export function defaultSort(q: string | undefined): 'relevance' | 'newest' {
  return q === undefined ? 'newest' : 'relevance'
}

function readDay(value: unknown): string | undefined {
  const text = String(value)
  // JavaScript reads February 30 as March 2, and other invalid dates become null.
  const isValid = /^[1-9]\d{3}-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.startsWith(text)
  return isValid ? text : undefined
}

/**
 * Returns the query of a list: the search parameters without undefined values. Filtered by collection, it is not in the
 * order that the collection has on its own page.
 */
export function exploreQuery(search: ExploreSearch): ListingQuery {
  const chosen = Object.entries(search).filter(([, value]) => value !== undefined)
  const { q, collection } = search
  return { ...((q ?? collection) && { sort: defaultSort(q) }), ...Object.fromEntries(chosen) }
}

/** Returns the names of the filters that are set, also the search. `literal` only determines how words are searched. */
export function listActiveFilters(search: FilterSearch): (keyof FilterSearch)[] {
  const names = Object.keys(readFilters({})) as (keyof FilterSearch)[]
  return names.filter((name) => name !== 'literal' && search[name] !== undefined)
}

/** Returns whether a list is searched or filtered, also by orientation. */
export function isNarrowed(search: FilterSearch): boolean {
  return listActiveFilters(search).length > 0
}

/** Returns whether a list is searched or filtered, other than by orientation. */
export function isFiltered(search: FilterSearch): boolean {
  return isNarrowed({ ...search, orientation: undefined })
}

/**
 * Returns whether the orientation filter last chosen on this device applies. SFW always does, because it keeps adult content
 * away; the others only where all bookmarks are browsed, because a search or a link to a tag would often find nothing.
 */
export function usesLastOrientation(
  { orientation, q, tag, host }: FilterSearch,
  lastOrientation: ExploreSearch['orientation'],
): boolean {
  if (orientation !== undefined || lastOrientation === undefined) return false
  return lastOrientation === 'sfw' || (q ?? tag ?? host) === undefined
}

/** Returns the search parameters after a change: the first page, and a new seed. */
export function changeSearch<Search extends ExploreSearch>(
  search: Search,
  changes: Partial<ExploreSearch>,
): Search {
  return { ...search, page: undefined, seed: undefined, literal: undefined, ...changes }
}
