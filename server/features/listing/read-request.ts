/** Determines what a request for a listing or play queue lists. */
import type { ListOrder } from '@reelmark/contract/collections.ts'
import { type ListingQuery, listingOrders, type PlayQueueQuery } from '@reelmark/contract/listing.ts'
import { createSeed } from '@reelmark/contract/random-seed.ts'
import { findsOwnOnly, type ParsedSearch, parseSearch } from '@reelmark/contract/search-terms.ts'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db } from '../../core/database/database.ts'
import { type PageRequest, parseKeyedPageRequest } from '../../core/http/cursor-paging.ts'
import { ApiError, InvalidFields } from '../../core/http/errors.ts'
import { selectListOrder } from '../../shared/order-keys.ts'
import { orderedListOf } from './containers.ts'
import { replaceFormerUsernames } from './former-usernames.ts'
import type { ListingFilter } from './listing-filter.ts'
import type { ListingOrder } from './listing-orders.ts'
import { maxSegments } from './listing-segments.ts'
import { spacing } from './page-anchors.ts'
import { readOldestTime } from './queries.ts'
import { addParameterTerms } from './search-filters.ts'
import { rankedWords, searchCondition } from './search-queries.ts'
import { shuffled, startOf } from './shuffle.ts'
import { resolveSmartCollection } from './smart-collections/resolve.ts'

/** What a request lists. */
export interface ReadRequest {
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
export async function readRequest(
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

/** Returns whether a listing contains only bookmarks of users whom the viewer follows. */
export function isFollowing({ sort, following }: Pick<ListingQuery, 'sort' | 'following'>): boolean {
  return sort === 'following' || following === true
}

/** Adds the seed that determines a random order, if the query has none. */
export function addSeed<Query extends { sort?: unknown; seed?: unknown }>(query: Query): Query {
  return query.sort === 'random' && query.seed === undefined ? { ...query, seed: createSeed() } : query
}
