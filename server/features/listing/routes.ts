import { randomInt } from 'node:crypto'
import {
  getPlayQueue,
  type ListingPage,
  type ListingQuery,
  listSimilar,
  listVideos,
} from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FastifyInstance } from 'fastify'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db } from '../../core/database/database.ts'
import { cursorPage, type PageRequest, parsePageRequest } from '../../core/http/cursor-paging.ts'
import { mount } from '../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../core/http/errors.ts'
import { type ListingFilter, planListing } from './listing-segments.ts'
import { readPlayQueue } from './play-queue.ts'
import { type ListingRequest, type ListingRows, listVideos as readListing } from './queries.ts'
import { findSimilarWords, searchTsquery } from './search-queries.ts'
import { parseSearch, type SearchTerm } from './search-terms.ts'
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
  const terms = parseSearch(query.q ?? '')
  if (query.tag !== undefined && query.tag !== '') {
    terms.push({ kind: 'tag', text: query.tag.toLowerCase(), negated: false })
  }
  const filter: ListingFilter = {
    orientation: query.orientation === 'all' ? null : (query.orientation ?? null),
    search: terms.length === 0 ? null : searchTsquery(db, terms),
    closeSearch: null,
    excludesOnly: terms.every((term) => term.negated),
    tags: terms.filter(({ kind, negated }) => kind === 'tag' && !negated).map(({ text }) => text),
    user: query.user || null,
    likedBy: query.liked_by || null,
    channel: query.channel ?? null,
    collection: query.collection ?? null,
    following,
    randomStart: seed === null ? null : seed / highestSeed,
  }
  // Two segments are allowed, because the second one of a search is known only once the exact matches are counted.
  const request = parsePageRequest(query, { segmentCount: 2 })
  const { rows, count, isEstimate } = await readPage(db, request, filter, terms, viewer)
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
  request: PageRequest,
  filter: ListingFilter,
  terms: readonly SearchTerm[],
  viewer: Viewer | null,
): Promise<ListingRows> {
  const exact = await readFilteredPage(db, request, filter, terms, viewer)
  if (exact.count >= closeSearchBelow || !terms.some((term) => term.kind === 'word')) return exact
  const close = await findSimilarWords(db, terms)
  if (close.size === 0) return exact
  return readFilteredPage(
    db,
    request,
    { ...filter, closeSearch: searchTsquery(db, terms, close) },
    terms,
    viewer,
  )
}

async function readFilteredPage(
  db: Db,
  request: PageRequest,
  filter: ListingFilter,
  terms: readonly SearchTerm[],
  viewer: Viewer | null,
): Promise<ListingRows> {
  const { scope, segments } = planListing(db, filter, viewer)
  return readListing(db, {
    ...request,
    scope,
    segments,
    counter: chooseCounter(filter, terms),
    isSearch: filter.search !== null,
    viewerId: viewer?.id ?? null,
  })
}

/** Returns the stored count that applies: Explore without other filters by orientation, or a single tag; else null. */
function chooseCounter(filter: ListingFilter, terms: readonly SearchTerm[]): ListingRequest['counter'] {
  const { orientation, user, likedBy, channel, collection, following } = filter
  const isFiltered = [user, likedBy, channel, collection].some((value) => value !== null)
  if (following || isFiltered) return null
  const [term] = terms
  if (term === undefined) return { orientation: orientation ?? 'all' }
  const isTag = terms.length === 1 && term.kind === 'tag' && !term.negated && orientation === null
  return isTag ? { tag: term.text } : null
}
