import type { ListOrder } from '@reelmark/contract/collections.ts'
import {
  getPlayQueue,
  getPlayStart,
  type ListingItem,
  type ListingPage,
  type ListingQuery,
  listingOrders,
  listSimilar,
  listVideos,
  type PlayQueue,
  type PlayQueueQuery,
} from '@reelmark/contract/listing.ts'
import type { Endpoint } from '@reelmark/contract/protocol/endpoint.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { createSeed } from '@reelmark/contract/random-seed.ts'
import {
  dependsOnViewer,
  findsOwnOnly,
  type ParsedSearch,
  parseSearch,
  type SearchTerm,
} from '@reelmark/contract/search-terms.ts'
import type { FastifyInstance } from 'fastify'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { cursorPage, type PageRequest, parseKeyedPageRequest } from '../../core/http/cursor-paging.ts'
import { mount } from '../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../core/http/errors.ts'
import { type CacheTag, dependOn } from '../../core/http/visitor-cache.ts'
import { selectListOrder } from '../../shared/order-keys.ts'
import { isOwnName } from '../../shared/usernames.ts'
import type { ViewerMarks } from '../../shared/viewer-marks.ts'
import { orderedListOf } from './containers.ts'
import { replaceFormerUsernames } from './former-usernames.ts'
import { isPlannedEachTime, isUnfiltered, type ListingFilter } from './listing-filter.ts'
import { type ListingOrder, nameStoredOrder } from './listing-orders.ts'
import { maxSegments } from './listing-segments.ts'
import { spacing, startAtAnchor } from './page-anchors.ts'
import { planListing } from './plan-listing.ts'
import { readPlayQueue, readPlayStart } from './play-queue.ts'
import {
  type ListingRequest,
  type ListingRows,
  listVideos as readListing,
  readOldestTime,
} from './queries.ts'
import { findCorrections } from './search-corrections.ts'
import { addParameterTerms } from './search-filters.ts'
import { findSimilarWords, rankedWords, searchCondition } from './search-queries.ts'
import { shuffled, startOf } from './shuffle.ts'
import { findSimilar, readSimilarityKey } from './similar-queries.ts'
import { resolveSmartCollection } from './smart-collections/resolve.ts'
import { isVault } from './vault-source.ts'

/** With fewer exact matches than this, matches of similar words follow them. */
const closeSearchBelow = limits.pageSize

export function registerListing(app: FastifyInstance): void {
  mount(
    app,
    listVideos,
    async ({ input: { query }, readDb, viewer }) => listingReply(readDb, query, viewer),
    {
      cacheForVisitors: true,
      chooseQuery: addSeed,
      cachePerViewer: isFollowing,
      personalize: {
        isShared: (page, { input: { query }, viewer }) => isSameForViewer(query, page.results, viewer),
        marks: marksOfCards,
      },
    },
  )
  mount(
    app,
    listSimilar,
    async ({ input: { params }, readDb, viewer }) => {
      const similarityKey = await readSimilarityKey(readDb, params.id, viewer)
      if (similarityKey === null) throw new ApiError('not-found')
      const results = await findSimilar(readDb, similarityKey, viewer)
      dependOn(tagsOf(results))
      return { count: results.length, next: null, previous: null, results }
    },
    { cacheForVisitors: true, personalize: { marks: marksOfCards } },
  )
  mount(
    app,
    getPlayQueue,
    async ({ input: { params, query }, readDb, viewer }) => {
      const found = await findPlayQueue(readDb, params.id, query, viewer)
      if (found === null) throw new ApiError('not-found')
      dependOnRows(found.list, found.queue.results, viewer)
      return found.queue
    },
    {
      cacheForVisitors: true,
      cachePerViewer: isFollowing,
      personalize: {
        isShared: (queue, { input: { query }, viewer }) => isSameForViewer(query, queue.results, viewer),
        marks: marksOfCards,
      },
    },
  )
  mount(app, getPlayStart, async ({ input: { query }, readDb, viewer }) => {
    const { from_beginning, ...list } = query
    const { filter } = await readRequest(readDb, list, viewer)
    return { bookmark_id: await readPlayStart(readDb, filter, viewer, from_beginning === true) }
  })
}

/** Returns whether a listing contains only bookmarks of users whom the viewer follows. */
function isFollowing({ sort, following }: Pick<ListingQuery, 'sort' | 'following'>): boolean {
  return sort === 'following' || following === true
}

/** Where a reply with cards shows the viewer's marks. */
const marksOfCards = {
  videoIds: ({ results }: { results: ListingItem[] }) => results.map(({ video_id }) => video_id),
  add: <T extends { results: ListingItem[] }>(reply: T, marks: ViewerMarks[]): T => ({
    ...reply,
    results: reply.results.map((item, n) => ({ ...item, ...marks[n] })),
  }),
}

/**
 * Returns whether a viewer without blocks and mutes sees the page that visitors see: not on their own pages, which show
 * private bookmarks too, and not with operators such as `is:watched`, which depend on the viewer.
 */
function isSameForViewer(query: ListingQuery, items: ListingItem[], viewer: Viewer): boolean {
  // The query of the smart collection is not known here. If it lists one user's bookmarks, all of them have the same owner.
  if (query.smart_collection !== undefined) return isByOther(items, viewer)
  if (query.sort === 'last_watched') return false
  const search = addParameterTerms(query, parseSearch(query.q ?? ''))
  // Members find more users by name than visitors do.
  if (dependsOnViewer(search) || search.terms.some(({ kind }) => kind === 'user')) return false
  // An empty list may be one that only visitors must not see. A list that has items is visible to everyone.
  if ((query.user || query.liked_by) && items.length === 0) return false
  if (query.user) return !isOwnName(query.user, viewer)
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

/** Which list is read, if it is not that of `listVideos`. */
interface ListOptions {
  endpoint: Endpoint
  isTrash: boolean
  /** `, …`: further columns of each row. */
  extraColumns: Fragment
}

/**
 * Returns a page of a listing.
 * @throws ApiError('unauthenticated') for the feed of a visitor, ApiError('invalid-page') past the end.
 */
export async function listingReply(
  db: Db,
  requested: ListingQuery,
  viewer: Viewer | null,
  { endpoint, isTrash, extraColumns }: ListOptions = {
    endpoint: listVideos,
    isTrash: false,
    extraColumns: db``,
  },
): Promise<ListingPage> {
  const { query, filter, search, seed, pageRequest } = await readRequest(db, requested, viewer, isTrash)
  const { order } = filter
  const request = await startAtAnchor(db, pageRequest, filter, viewer)
  const isLiteral = query.literal === true
  // On pages of their own bookmarks, users see in which collection each one is.
  const columns = isVault(filter, viewer) ? db`${extraColumns}, b.collection_id` : extraColumns
  const found = await readPage(db, { ...request, extraColumns: columns }, filter, search, viewer, isLiteral)
  const { count, isEstimate, corrected, retainsCount } = found
  const { order: shownOrder, rows } =
    order === 'stored' ? nameStoredOrder(found.rows) : { order, rows: found.rows }
  dependOnRows({ ...filter, order: shownOrder }, rows, viewer)
  const seeded = seed === null ? {} : { seed }
  const ordered = order === 'stored' && rows.length > 0 ? { sort: shownOrder } : {}
  return {
    ...cursorPage(
      endpoint,
      { query: { ...requested, ...seeded, ...ordered } },
      request,
      count,
      rows,
      retainsCount,
    ),
    ...(isEstimate || count > limits.exactCountMax ? { count_is_estimate: true } : {}),
    ...(corrected === undefined ? {} : { corrected }),
    ...seeded,
  }
}

/** What a request lists. */
interface ReadRequest {
  /** With the parameters of its smart collection. */
  query: ListingQuery
  filter: ListingFilter
  search: ParsedSearch
  seed: number | null
  pageRequest: PageRequest<number | string>
}

/**
 * Reads what a request lists.
 * @throws ApiError('unauthenticated') for the feed of a visitor, ApiError('not-found') for a smart collection that the
 *   viewer may not see, InvalidFields
 */
async function readRequest(
  db: Db,
  { shuffle, shuffle_from, ...requested }: ListingQuery & PlayQueueQuery,
  viewer: Viewer | null,
  isTrash = false,
): Promise<ReadRequest> {
  const query = await resolveSmartCollection(db, requested, viewer)
  const following = isFollowing(query)
  if (following && viewer === null) throw new ApiError('unauthenticated')
  const seed = query.sort === 'random' ? (addSeed(query).seed ?? null) : null
  const search = await replaceFormerUsernames(db, addParameterTerms(query, parseSearch(query.q ?? '')))
  const { terms, filters } = search
  const pageRequest = parseKeyedPageRequest(query, { segmentCount: maxSegments })
  const requestedOrder = await chooseOrder(db, query, terms.length > 0 || isTrash, pageRequest)
  if (following && requestedOrder !== 'newest') {
    throw new InvalidFields({ sort: ['The bookmarks of followed users are in the order newest or random.'] })
  }
  // Without a search, all bookmarks match equally well, and visitors have watched nothing.
  const isNewest =
    (requestedOrder === 'relevance' && terms.length === 0) ||
    (requestedOrder === 'last_watched' && viewer === null)
  const order = isNewest ? 'newest' : requestedOrder
  const anyTime: ListingFilter = {
    orientation: query.orientation === 'all' ? null : (query.orientation ?? null),
    search: terms.length === 0 ? null : searchCondition(db, terms, viewer),
    oldest: null,
    ranked: order === 'relevance' ? rankedWords(db, terms) : null,
    closeSearch: null,
    hasNoExact: false,
    excludesOnly: terms.every((term) => term.negated),
    filters,
    findsOwnOnly: findsOwnOnly(search),
    isTrash,
    order,
    tags: terms.filter(({ kind, negated }) => kind === 'tag' && !negated).map(({ text }) => text),
    user: query.user || null,
    likedBy: query.liked_by || null,
    channel: query.channel ?? null,
    collection: query.collection ?? null,
    following,
    randomStart: seed === null ? null : startOf(seed),
    shuffle: null,
  }
  const isFromOldest = order === 'oldest' && query.cursor === undefined
  const filter = isFromOldest ? { ...anyTime, oldest: await readOldestTime(db, anyTime, viewer) } : anyTime
  const read = { query, search, seed, pageRequest }
  if (shuffle === undefined) return { ...read, filter }
  return { ...read, filter: await shuffled(db, filter, { seed: shuffle, from: shuffle_from ?? null }) }
}

/** Names what a response with a list depends on. */
function dependOnRows(
  list: Pick<ListingFilter, 'order' | 'likedBy' | 'channel' | 'collection'>,
  rows: readonly ListingItem[],
  viewer: Viewer | null,
): void {
  // In any other order every like or save may change the page, which then depends on everything.
  if (list.order !== 'newest' && list.order !== 'manual') return
  const container = orderedListOf(list)
  dependOn(container === null ? tagsOf(rows) : [...tagsOf(rows), `${container.kind}:${container.id}`])
  if (list.likedBy !== null) dependOn([`likes-of:${list.likedBy.toLowerCase()}`])
  if (viewer !== null) dependOn([`user:${viewer.id}`])
}

/** Reads the play queue around a bookmark; of a search with few exact matches, that of similar words, as `readPage` does. */
async function findPlayQueue(
  db: Db,
  id: number,
  requested: PlayQueueQuery,
  viewer: Viewer | null,
): Promise<{ queue: PlayQueue; list: ListingFilter } | null> {
  const { query, filter, search } = await readRequest(db, requested, viewer)
  const read = async (planned: ListingFilter) => {
    const counter = chooseCounter(planned, search.terms)
    const found = await readPlayQueue(db, id, planned, viewer, counter)
    return found === null ? null : { queue: found.queue, list: { ...planned, order: found.order } }
  }
  const exact = await read(filter)
  if (exact !== null && exact.queue.count >= closeSearchBelow) return exact
  const similar = await similarWords(db, search.terms, query.literal === true)
  if (similar === null) return exact
  return (await read(withSimilarWords(db, filter, search.terms, viewer, similar))) ?? exact
}

/**
 * Returns the order that a query names, or that the owner of its collection or channel chose. Far from the beginning, the
 * latter is read first, because the page then starts at an anchor of that order.
 * @param hasOwnOrder whether it is a search or the trash, which do not have the order of their collection or channel
 */
async function chooseOrder(
  db: Db,
  query: ListingQuery,
  hasOwnOrder: boolean,
  { cursor, skip }: PageRequest<number | string>,
): Promise<ListingOrder> {
  const list = orderedListOf({ channel: query.channel ?? null, collection: query.collection ?? null })
  if (query.sort === 'manual') {
    if (list !== null) return 'manual'
    throw new InvalidFields({ sort: ['Only a collection or channel has a manual order.'] })
  }
  if (list === null || query.sort !== undefined || cursor !== null || hasOwnOrder || isFollowing(query)) {
    return listingOrders.find((name) => name === query.sort) ?? 'newest'
  }
  if (skip < spacing) return 'stored'
  const [stored] = await db<{ list_order: ListOrder }[]>`${selectListOrder(db, list)}`
  return stored?.list_order ?? 'newest'
}

/** Reads a page; a search with few exact matches is repeated with similar words unless it is literal. */
async function readPage(
  db: Db,
  request: PageRequest<number | string> & Pick<ListOptions, 'extraColumns'>,
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
async function similarWords(db: Db, terms: SearchTerm[], isLiteral: boolean): Promise<SimilarWords | null> {
  if (isLiteral || !terms.some((term) => term.kind === 'word')) return null
  const similar = await findSimilarWords(db, terms)
  return similar.size === 0 ? null : similar
}

/** Adds matches of similar words to a listing. */
function withSimilarWords(
  db: Db,
  filter: ListingFilter,
  terms: SearchTerm[],
  viewer: Viewer | null,
  similar: SimilarWords,
): ListingFilter {
  const closeSearch = searchCondition(db, terms, viewer, similar)
  return { ...filter, closeSearch, ranked: filter.ranked === null ? null : rankedWords(db, terms, similar) }
}

/** Adds the seed that determines a random order, if the query has none. */
function addSeed<Query extends { sort?: unknown; seed?: unknown }>(query: Query): Query {
  return query.sort === 'random' && query.seed === undefined ? { ...query, seed: createSeed() } : query
}

/** From so many results on, counting them takes several times as long as reading a page. */
const minRetainedCount = 1000

type FoundPage = ListingRows &
  Pick<ListingPage, 'corrected'> & {
    /** Whether further pages have the same count, instead of counting all results again. */
    retainsCount: boolean
  }

async function readFilteredPage(
  db: Db,
  request: PageRequest<number | string> & Pick<ListOptions, 'extraColumns'>,
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
function chooseCounter(filter: ListingFilter, terms: readonly SearchTerm[]): ListingRequest['counter'] {
  const { orientation } = filter
  if (!isUnfiltered(filter)) return null
  const [term] = terms
  if (term === undefined) return { orientation: orientation ?? 'all' }
  const isTag = terms.length === 1 && term.kind === 'tag' && !term.negated && orientation === null
  return isTag ? { tag: term.text } : null
}
