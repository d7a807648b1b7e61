import { randomInt } from 'node:crypto'
import {
  getPlayQueue,
  type ListingPage,
  type ListingQuery,
  listingOrders,
  listSimilar,
  listVideos,
} from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { type ParsedSearch, parseSearch } from '@reelmark/contract/search-terms.ts'
import type { FastifyInstance } from 'fastify'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db } from '../../core/database/database.ts'
import { cursorPage, type PageRequest, parseKeyedPageRequest } from '../../core/http/cursor-paging.ts'
import { mount } from '../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../core/http/errors.ts'
import { type ListingFilter, maxSegments, planListing } from './listing-segments.ts'
import { readPlayQueue } from './play-queue.ts'
import { type ListingRequest, type ListingRows, listVideos as readListing } from './queries.ts'
import { addParameterTerms } from './search-filters.ts'
import { findSimilarWords, searchTsquery } from './search-queries.ts'
import { findSimilar, readSimilarityKey } from './similar-queries.ts'

/** With fewer exact matches than this, matches of similar words follow them. */
const closeSearchBelow = limits.pageSize

const highestSeed = 2_147_483_647

export function registerListing(app: FastifyInstance): void {
  const { readDb } = app.deps
  mount(app, listVideos, async ({ input: { query }, viewer }) => listingReply(readDb, query, viewer), {
    // Without a seed every request gets a different order, so it cannot be cached.
    cacheForVisitors: ({ sort, seed }) => sort !== 'random' || seed !== undefined,
  })
  mount(
    app,
    listSimilar,
    async ({ input: { params }, viewer }) => {
      const similarityKey = await readSimilarityKey(readDb, params.id, viewer)
      if (similarityKey === null) throw new ApiError('not-found')
      const results = await findSimilar(readDb, similarityKey, viewer)
      return { count: results.length, next: null, previous: null, results }
    },
    { cacheForVisitors: true },
  )
  mount(
    app,
    getPlayQueue,
    async ({ input: { params, query }, viewer }) => {
      const { channel, collection } = query
      const container = channel !== undefined ? { channel } : collection !== undefined ? { collection } : null
      if (container === null) throw new InvalidFields({ channel: ['A channel or a collection is required.'] })
      const queue = await readPlayQueue(readDb, params.id, container, viewer)
      if (queue === null) throw new ApiError('not-found')
      return queue
    },
    { cacheForVisitors: true },
  )
}

/**
 * Returns a page of a listing.
 * @throws ApiError('unauthenticated') for the feed of a visitor, ApiError('invalid-page') past the end.
 */
export async function listingReply(db: Db, query: ListingQuery, viewer: Viewer | null): Promise<ListingPage> {
  const following = query.sort === 'following' || query.following === true
  if (following && viewer === null) throw new ApiError('unauthenticated')
  const seed = query.sort === 'random' ? (query.seed ?? randomInt(highestSeed + 1)) : null
  const order = listingOrders.find((name) => name === query.sort) ?? 'newest'
  if (following && order !== 'newest') {
    throw new InvalidFields({ sort: ['The bookmarks of followed users are in the order newest or random.'] })
  }
  const search = addParameterTerms(query, parseSearch(query.q ?? ''))
  const { terms, filters } = search
  const filter: ListingFilter = {
    orientation: query.orientation === 'all' ? null : (query.orientation ?? null),
    search: terms.length === 0 ? null : searchTsquery(db, terms),
    closeSearch: null,
    excludesOnly: terms.every((term) => term.negated),
    filters,
    order,
    tags: terms.filter(({ kind, negated }) => kind === 'tag' && !negated).map(({ text }) => text),
    user: query.user || null,
    likedBy: query.liked_by || null,
    channel: query.channel ?? null,
    collection: query.collection ?? null,
    following,
    randomStart: seed === null ? null : seed / highestSeed,
  }
  // How many segments there are is known only once the exact matches are counted.
  const request = parseKeyedPageRequest(query, { segmentCount: maxSegments })
  const { rows, count, isEstimate } = await readPage(db, request, filter, search, viewer)
  const seeded = seed === null ? {} : { seed }
  return {
    ...cursorPage(listVideos, { query: { ...query, ...seeded } }, request, count, rows),
    ...(isEstimate || count > limits.exactCountMax ? { count_is_estimate: true } : {}),
    ...seeded,
  }
}

/** Reads a page; a search with few exact matches is repeated with similar words. */
async function readPage(
  db: Db,
  request: PageRequest<number | string>,
  filter: ListingFilter,
  search: ParsedSearch,
  viewer: Viewer | null,
): Promise<ListingRows> {
  const { terms } = search
  const exact = await readFilteredPage(db, request, filter, search, viewer)
  if (exact.count >= closeSearchBelow || !terms.some((term) => term.kind === 'word')) return exact
  const close = await findSimilarWords(db, terms)
  if (close.size === 0) return exact
  return readFilteredPage(
    db,
    request,
    { ...filter, closeSearch: searchTsquery(db, terms, close) },
    search,
    viewer,
  )
}

async function readFilteredPage(
  db: Db,
  request: PageRequest<number | string>,
  filter: ListingFilter,
  search: ParsedSearch,
  viewer: Viewer | null,
): Promise<ListingRows> {
  const { scope, segments } = planListing(db, filter, viewer)
  return readListing(db, {
    ...request,
    scope,
    segments,
    counter: chooseCounter(filter, search),
    isSearch: filter.search !== null || filter.filters.length > 0,
    viewerId: viewer?.id ?? null,
  })
}

/** Returns the stored count that applies: Explore without other filters by orientation, or a single tag; else null. */
function chooseCounter(filter: ListingFilter, { terms, filters }: ParsedSearch): ListingRequest['counter'] {
  const { orientation, user, likedBy, channel, collection, following } = filter
  const isFiltered = [user, likedBy, channel, collection].some((value) => value !== null)
  if (following || isFiltered || filters.length > 0) return null
  const [term] = terms
  if (term === undefined) return { orientation: orientation ?? 'all' }
  const isTag = terms.length === 1 && term.kind === 'tag' && !term.negated && orientation === null
  return isTag ? { tag: term.text } : null
}
