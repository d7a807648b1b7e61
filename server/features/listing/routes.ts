import { randomInt } from 'node:crypto'
import { endpointUrl } from '@reelmark/contract/call.ts'
import { limits } from '@reelmark/contract/limits.ts'
import {
  getQueue,
  type ListingPage,
  type ListingQuery,
  listSimilar,
  listVideos,
} from '@reelmark/contract/listing.ts'
import type { FastifyInstance } from 'fastify'
import { type Cursor, readCursor, writeCursor } from '../../core/cursor.ts'
import type { Db } from '../../core/database.ts'
import { mount } from '../../core/endpoints.ts'
import { ApiError, InvalidFields } from '../../core/errors.ts'
import { type ListingRow, listVideos as readSlice, type Slice, type SliceRequest } from './queries.ts'
import { readQueue } from './queue.ts'
import { parseSearch, type SearchTerm } from './rules.ts'
import { findCloseWords, searchQuery } from './search.ts'
import { findSimilar, readLikeness } from './similar.ts'
import { type Asker, type ListingFilter, stretchesOf } from './stretches.ts'

/** Fewer exact hits than this, and close ones follow them. */
const enoughHits = limits.pageSize

const highestSeed = 2_147_483_647

export function registerListing(app: FastifyInstance): void {
  const { readDb } = app.deps
  mount(app, listVideos, async ({ input: { query }, viewer }) => answerListing(readDb, query, viewer), {
    // Without a seed one is drawn for each who asks.
    sameForVisitors: ({ sort, seed }) => sort !== 'random' || seed !== undefined,
  })
  mount(
    app,
    listSimilar,
    async ({ input: { params }, viewer }) => {
      const likeness = await readLikeness(readDb, params.id, viewer)
      if (likeness === null) throw new ApiError('not-found')
      const results = await findSimilar(readDb, likeness, viewer)
      return { count: results.length, next: null, previous: null, results }
    },
    { sameForVisitors: true },
  )
  mount(
    app,
    getQueue,
    async ({ input: { params, query }, viewer }) => {
      const { channel, collection } = query
      const place = channel !== undefined ? { channel } : collection !== undefined ? { collection } : null
      if (place === null) throw new InvalidFields({ channel: ['A channel or a collection is required.'] })
      const queue = await readQueue(readDb, params.id, place, viewer)
      if (queue === null) throw new ApiError('not-found')
      return queue
    },
    { sameForVisitors: true },
  )
}

/** A page of a listing. @throws ApiError('not-signed-in') for the feed of a visitor, ApiError('invalid-page') past the end. */
export async function answerListing(db: Db, query: ListingQuery, viewer: Asker | null): Promise<ListingPage> {
  const following = query.sort === 'following' || query.following === true
  if (following && viewer === null) throw new ApiError('not-signed-in')
  const seed = query.sort === 'random' ? (query.seed ?? randomInt(highestSeed + 1)) : null
  const terms = parseSearch(query.q ?? '')
  if (query.tag !== undefined && query.tag !== '') {
    terms.push({ kind: 'tag', text: query.tag.toLowerCase(), negated: false })
  }
  const filter: ListingFilter = {
    orientation: query.orientation === 'all' ? null : (query.orientation ?? null),
    search: terms.length === 0 ? null : searchQuery(db, terms),
    closeSearch: null,
    tags: terms.filter(({ kind, negated }) => kind === 'tag' && !negated).map(({ text }) => text),
    user: query.user || null,
    likedBy: query.liked_by || null,
    channel: query.channel ?? null,
    collection: query.collection ?? null,
    following,
    randomStart: seed === null ? null : seed / highestSeed,
  }
  const slice = await readPage(db, query, filter, terms, viewer)
  const page = query.page ?? 1
  if (page > 1 && slice.rows.length === 0) throw new ApiError('invalid-page')
  return {
    count: slice.count,
    ...(slice.count > limits.exactCount ? { count_is_estimate: true } : {}),
    ...linksOf({ ...query, ...(seed === null ? {} : { seed }) }, page, slice),
    results: slice.rows,
    ...(seed === null ? {} : { seed }),
  }
}

type PageSlice = Slice & { cursor: Cursor | null }

/** A search with few hits is done once more with words like its own. */
async function readPage(
  db: Db,
  query: ListingQuery,
  filter: ListingFilter,
  terms: readonly SearchTerm[],
  viewer: Asker | null,
): Promise<PageSlice> {
  const exact = await readFiltered(db, query, filter, terms, viewer)
  if (exact.count >= enoughHits || !terms.some((term) => term.kind === 'word')) return exact
  const close = await findCloseWords(db, terms)
  if (close.size === 0) return exact
  return readFiltered(db, query, { ...filter, closeSearch: searchQuery(db, terms, close) }, terms, viewer)
}

async function readFiltered(
  db: Db,
  { page = 1, page_size: size = limits.pageSize, cursor: text }: ListingQuery,
  filter: ListingFilter,
  terms: readonly SearchTerm[],
  viewer: Asker | null,
): Promise<PageSlice> {
  const { whole, stretches } = stretchesOf(db, filter, viewer)
  // The second stretch of a search is known only once its first hits are counted.
  const cursor = text === undefined ? null : readCursor(text, 2)
  if (text !== undefined && cursor === null) throw new ApiError('invalid-page')
  const skip = cursor === null ? (page - 1) * size : 0
  const slice = await readSlice(db, {
    whole,
    stretches,
    counter: counterOf(filter, terms),
    size,
    skip,
    cursor,
    me: viewer?.id ?? null,
  })
  return { ...slice, cursor }
}

/** Explore without any other filter is counted per orientation in the background, and so is one tag. */
function counterOf(filter: ListingFilter, terms: readonly SearchTerm[]): SliceRequest['counter'] {
  const { orientation, user, likedBy, channel, collection, following } = filter
  const isFiltered = [user, likedBy, channel, collection].some((each) => each !== null)
  if (following || isFiltered) return null
  const [term] = terms
  if (term === undefined) return { orientation: orientation ?? 'all' }
  const isTag = terms.length === 1 && term.kind === 'tag' && !term.negated && orientation === null
  return isTag ? { tag: term.text } : null
}

/** `next` and `previous` as paths that say where this page ends, so that no page costs more than the first. */
function linksOf(query: ListingQuery, page: number, { rows, more, cursor }: PageSlice) {
  const { cursor: _, ...rest } = query
  const link = (number: number, position: Cursor | null) =>
    endpointUrl(
      listVideos,
      {},
      { ...rest, page: number, ...(position ? { cursor: writeCursor(position) } : {}) },
    )
  const [first, last] = [rows[0], rows.at(-1)]
  // Whoever came backwards came from a page that is still there.
  const hasNext = more || cursor?.direction === 'before'
  return {
    next: hasNext && last ? link(page + 1, at(last, 'after')) : null,
    previous: page <= 1 || !first ? null : link(page - 1, page === 2 ? null : at(first, 'before')),
  }
}

function at({ stretch, key, id }: ListingRow, direction: Cursor['direction']): Cursor {
  return { direction, stretch, key, id }
}
