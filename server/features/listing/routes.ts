/** Responds with listings, play queues and similar videos. */
import {
  getPlayQueue,
  getPlayStart,
  type ListingItem,
  type ListingPage,
  type ListingQuery,
  listSimilar,
  listVideos,
  type PlayQueue,
  type PlayQueueQuery,
} from '@reelmark/contract/listing.ts'
import type { Endpoint } from '@reelmark/contract/protocol/endpoint.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { dependsOnViewer, parseSearch } from '@reelmark/contract/search-terms.ts'
import type { FastifyInstance } from 'fastify'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { cursorPage } from '../../core/http/cursor-paging.ts'
import { mount } from '../../core/http/endpoints.ts'
import { ApiError } from '../../core/http/errors.ts'
import { type CacheTag, dependOn } from '../../core/http/visitor-cache.ts'
import { isOwnName } from '../../shared/usernames.ts'
import type { ViewerMarks } from '../../shared/viewer-marks.ts'
import { orderedListOf } from './containers.ts'
import type { ListingFilter } from './listing-filter.ts'
import { nameStoredOrder } from './listing-orders.ts'
import { startAtAnchor } from './page-anchors.ts'
import { readPlayQueue, readPlayStart } from './play-queue.ts'
import {
  chooseCounter,
  closeSearchBelow,
  completeSearch,
  readPage,
  similarWords,
  withSimilarWords,
} from './read-page.ts'
import { addSeed, isFollowing, readRequest } from './read-request.ts'
import { addParameterTerms } from './search-filters.ts'
import { findSimilar, readSimilarityKey } from './similar-queries.ts'
import { isVault } from './vault-source.ts'

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
    const requested = await readRequest(readDb, list, viewer)
    const isLiteral = requested.query.literal === true
    const filter = await completeSearch(readDb, requested.filter, requested.search, viewer, isLiteral)
    return { bookmark_id: await readPlayStart(readDb, filter, viewer, from_beginning === true) }
  })
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
