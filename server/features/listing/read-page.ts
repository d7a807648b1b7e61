/** Reads a page of a listing. A search with few exact matches is completed with matches of similar words. */
import type { ListingPage } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { ParsedSearch, SearchTerm } from '@reelmark/contract/search-terms.ts'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db } from '../../core/database/database.ts'
import type { PageRequest } from '../../core/http/cursor-paging.ts'
import { isPlannedEachTime, isUnfiltered, type ListingFilter } from './listing-filter.ts'
import { planListing } from './plan-listing.ts'
import { type ListingRequest, type ListingRows, listVideos as readListing } from './queries.ts'
import { findCorrections } from './search-corrections.ts'
import { findSimilarWords, rankedWords, searchCondition } from './search-queries.ts'

/** With fewer exact matches than this, matches of similar words follow them. */
export const closeSearchBelow = limits.pageSize

type PageOptions = PageRequest<number | string> & Pick<ListingRequest, 'extraColumns'>

/** From so many results on, counting them takes several times as long as reading a page. */
const minRetainedCount = 1000

type FoundPage = ListingRows &
  Pick<ListingPage, 'corrected'> & {
    /** Whether further pages have the same count, instead of counting all results again. */
    retainsCount: boolean
  }

/** Reads a page; a search with few exact matches is repeated with similar words unless it is literal. */
export async function readPage(
  db: Db,
  request: PageOptions,
  filter: ListingFilter,
  search: ParsedSearch,
  viewer: Viewer | null,
  isLiteral: boolean,
): Promise<FoundPage> {
  const exact = await readFilteredPage(db, request, filter, search, viewer)
  // The estimate of a long list can be low by chance.
  if (exact.count >= closeSearchBelow || exact.isEstimate) return exact
  const { terms } = search
  const similar = await similarWords(db, terms, isLiteral)
  if (similar === null) return exact
  const hasNoExact = exact.count === 0
  const closeFilter = { ...withSimilarWords(db, filter, terms, viewer, similar), hasNoExact }
  // A retained count would be taken for that of the exact matches.
  const close = { ...(await readFilteredPage(db, request, closeFilter, search, viewer)), retainsCount: false }
  if (exact.count > 0 || close.count === 0) return close
  const corrected = await findCorrections(db, terms, similar)
  return corrected.length === 0 ? close : { ...close, corrected }
}

type SimilarWords = Awaited<ReturnType<typeof findSimilarWords>>

/** Returns words similar to those of a search; null if the search is literal or no similar word is stored. */
export async function similarWords(
  db: Db,
  terms: SearchTerm[],
  isLiteral: boolean,
): Promise<SimilarWords | null> {
  if (isLiteral || !terms.some((term) => term.kind === 'word')) return null
  const similar = await findSimilarWords(db, terms)
  return similar.size === 0 ? null : similar
}

/** Adds matches of similar words to a listing. */
export function withSimilarWords(
  db: Db,
  filter: ListingFilter,
  terms: SearchTerm[],
  viewer: Viewer | null,
  similar: SimilarWords,
): ListingFilter {
  const closeSearch = searchCondition(db, terms, viewer, similar)
  return { ...filter, closeSearch, ranked: filter.ranked === null ? null : rankedWords(db, terms, similar) }
}

/** Returns a listing as its pages contain it: a search with few exact matches with those of similar words. */
export async function completeSearch(
  db: Db,
  filter: ListingFilter,
  search: ParsedSearch,
  viewer: Viewer | null,
  isLiteral: boolean,
): Promise<ListingFilter> {
  const similar = await similarWords(db, search.terms, isLiteral)
  if (similar === null) return filter
  const firstRow = { size: 1, skip: 0, cursor: null, extraColumns: db`` }
  const { count, isEstimate } = await readFilteredPage(db, firstRow, filter, search, viewer)
  if (count >= closeSearchBelow || isEstimate) return filter
  return withSimilarWords(db, filter, search.terms, viewer, similar)
}

async function readFilteredPage(
  db: Db,
  request: PageOptions,
  filter: ListingFilter,
  search: ParsedSearch,
  viewer: Viewer | null,
): Promise<FoundPage> {
  const { scope, segments } = await planListing(db, filter, viewer, request.size + request.skip)
  const isPublicSearch = scope.isSearch && scope.cells === null
  const retained = isPublicSearch ? request.cursor?.count : undefined
  const found = await readListing(db, {
    ...request,
    scope: retained === undefined ? scope : { ...scope, exactCount: db`${retained}::bigint` },
    segments,
    counter: chooseCounter(filter, search.terms),
    isPlannedEachTime: isPlannedEachTime(filter, scope),
    viewerId: viewer?.id ?? null,
  })
  return { ...found, retainsCount: isPublicSearch && found.count >= minRetainedCount }
}

/** Returns the stored count that applies: Explore without other filters by orientation, or a single tag; else null. */
export function chooseCounter(
  filter: ListingFilter,
  terms: readonly SearchTerm[],
): ListingRequest['counter'] {
  const { orientation } = filter
  if (!isUnfiltered(filter)) return null
  const [term] = terms
  if (term === undefined) return { orientation: orientation ?? 'all' }
  const isTag = terms.length === 1 && term.kind === 'tag' && !term.negated && orientation === null
  return isTag ? { tag: term.text } : null
}
