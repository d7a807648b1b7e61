import { randomInt } from 'node:crypto'
import {
  getPlayQueue,
  type ListingItem,
  type ListingPage,
  type ListingQuery,
  listingOrders,
  listSimilar,
  listVideos,
} from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import {
  dependsOnViewer,
  type ParsedSearch,
  parseSearch,
  type SearchTerm,
} from '@reelmark/contract/search-terms.ts'
import type { FastifyInstance } from 'fastify'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db } from '../../core/database/database.ts'
import { cursorPage, type PageRequest, parseKeyedPageRequest } from '../../core/http/cursor-paging.ts'
import { mount } from '../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../core/http/errors.ts'
import { type CacheTag, dependOn } from '../../core/http/visitor-cache.ts'
import { createMarksLoader, type LoadViewerMarks } from '../../shared/viewer-marks.ts'
import { isUnfiltered, type ListingFilter, maxSegments, planListing } from './listing-segments.ts'
import { readPlayQueue } from './play-queue.ts'
import { type ListingRequest, type ListingRows, listVideos as readListing } from './queries.ts'
import { findCorrections } from './search-corrections.ts'
import { addParameterTerms } from './search-filters.ts'
import { findSimilarWords, searchTsquery } from './search-queries.ts'
import { findSimilar, readSimilarityKey } from './similar-queries.ts'

/** With fewer exact matches than this, matches of similar words follow them. */
const closeSearchBelow = limits.pageSize

const highestSeed = 2_147_483_647

export function registerListing(app: FastifyInstance): void {
  const { db, readDb } = app.deps
  // From the primary, so that users see their own likes immediately.
  const loadMarks = createMarksLoader(db)
  mount(app, listVideos, async ({ input: { query }, viewer }) => listingReply(readDb, query, viewer), {
    // Without a seed every request gets a different order, so it cannot be cached.
    cacheForVisitors: ({ sort, seed }) => sort !== 'random' || seed !== undefined,
    cachePerViewer: isFollowing,
    personalize: async (page, { input: { query }, viewer }) =>
      isSameForViewer(query, page.results, viewer) ? addMarks(loadMarks, page, viewer) : null,
  })
  mount(
    app,
    listSimilar,
    async ({ input: { params }, viewer }) => {
      const similarityKey = await readSimilarityKey(readDb, params.id, viewer)
      if (similarityKey === null) throw new ApiError('not-found')
      const results = await findSimilar(readDb, similarityKey, viewer)
      dependOn(tagsOf(results))
      return { count: results.length, next: null, previous: null, results }
    },
    { cacheForVisitors: true, personalize: (page, { viewer }) => addMarks(loadMarks, page, viewer) },
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
      dependOn(tagsOf(queue.results))
      return queue
    },
    {
      cacheForVisitors: true,
      personalize: async (queue, { viewer }) =>
        isByOther(queue.results, viewer) ? addMarks(loadMarks, queue, viewer) : null,
    },
  )
}

/** Returns whether a listing contains only bookmarks of users whom the viewer follows. */
function isFollowing({ sort, following }: Pick<ListingQuery, 'sort' | 'following'>): boolean {
  return sort === 'following' || following === true
}

/** Adds the viewer's marks to the cards of a reply that visitors see. */
async function addMarks<T extends { results: ListingItem[] }>(
  loadMarks: LoadViewerMarks,
  reply: T,
  viewer: Viewer,
): Promise<T> {
  const marks = await loadMarks(
    viewer.id,
    reply.results.map(({ video_id }) => video_id),
  )
  return { ...reply, results: reply.results.map((item, n) => ({ ...item, ...marks[n] })) }
}

/**
 * Returns whether a viewer without blocks and mutes sees the page that visitors see: not on their own pages, which show
 * private bookmarks too, and not with operators such as `is:watched`, which depend on the viewer.
 */
function isSameForViewer(query: ListingQuery, items: ListingItem[], viewer: Viewer): boolean {
  if (dependsOnViewer(parseSearch(query.q ?? ''))) return false
  if (query.user) return query.user.toLowerCase() !== viewer.username.toLowerCase()
  if (query.channel !== undefined || query.collection !== undefined) return isByOther(items, viewer)
  return true
}

/** Returns whether the items of a channel or collection show that its owner is another user. */
function isByOther(items: readonly ListingItem[], viewer: Viewer): boolean {
  const [first] = items
  return first !== undefined && first.user_username !== viewer.username
}

/** Returns the cache tags of a list of cards. */
function tagsOf(items: readonly ListingItem[]): CacheTag[] {
  return ['listing', ...items.map(({ video_id }) => `video:${video_id}` as const)]
}

/**
 * Returns a page of a listing.
 * @throws ApiError('unauthenticated') for the feed of a visitor, ApiError('invalid-page') past the end.
 */
export async function listingReply(db: Db, query: ListingQuery, viewer: Viewer | null): Promise<ListingPage> {
  const following = isFollowing(query)
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
  const isLiteral = query.literal === true
  const { rows, count, isEstimate, corrected } = await readPage(
    db,
    request,
    filter,
    search,
    viewer,
    isLiteral,
  )
  // In any other order every like or save may change the page, which then depends on everything.
  if (order === 'newest') {
    dependOn(tagsOf(rows))
    if (query.liked_by) dependOn([`likes-of:${query.liked_by.toLowerCase()}`])
    if (viewer !== null) dependOn([`user:${viewer.id}`])
  }
  const seeded = seed === null ? {} : { seed }
  return {
    ...cursorPage(listVideos, { query: { ...query, ...seeded } }, request, count, rows),
    ...(isEstimate || count > limits.exactCountMax ? { count_is_estimate: true } : {}),
    ...(corrected === undefined ? {} : { corrected }),
    ...seeded,
  }
}

/** Reads a page; a search with few exact matches is repeated with similar words unless it is literal. */
async function readPage(
  db: Db,
  request: PageRequest<number | string>,
  filter: ListingFilter,
  search: ParsedSearch,
  viewer: Viewer | null,
  isLiteral: boolean,
): Promise<ListingRows & Pick<ListingPage, 'corrected'>> {
  const { terms } = search
  const exact = await readFilteredPage(db, request, filter, search, viewer)
  const canBeMisspelt = !isLiteral && terms.some((term) => term.kind === 'word')
  if (exact.count >= closeSearchBelow || !canBeMisspelt) return exact
  const similar = await findSimilarWords(db, terms)
  if (similar.size === 0) return exact
  const closeSearch = searchTsquery(db, terms, similar)
  const close = await readFilteredPage(db, request, { ...filter, closeSearch }, search, viewer)
  if (exact.count > 0 || close.count === 0) return close
  const corrected = await findCorrections(db, terms, similar)
  return corrected.length === 0 ? close : { ...close, corrected }
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
    counter: chooseCounter(filter, search.terms),
    isPlannedEachTime: filter.search !== null || filter.filters.length > 0,
    viewerId: viewer?.id ?? null,
  })
}

/** Returns the stored count that applies: Explore without other filters by orientation, or a single tag; else null. */
function chooseCounter(filter: ListingFilter, terms: readonly SearchTerm[]): ListingRequest['counter'] {
  const { orientation } = filter
  if (!isUnfiltered(filter)) return null
  const [term] = terms
  if (term === undefined) return { orientation: orientation ?? 'all' }
  const isTag = terms.length === 1 && term.kind === 'tag' && !term.negated && orientation === null
  return isTag ? { tag: term.text } : null
}
