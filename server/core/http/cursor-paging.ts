/** Cursor paging for long lists: `{count, next, previous, results}` (docs/behaviour.md, API). */
import { endpointUrl } from '@reelmark/contract/protocol/call.ts'
import type { Endpoint } from '@reelmark/contract/protocol/endpoint.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, Fragment } from '../database/database.ts'
import { type Cursor, decodeCursor, encodeCursor } from './cursor.ts'
import { ApiError } from './errors.ts'
import { offsetOf, type Page } from './paging.ts'

interface CursorQuery {
  page?: number
  page_size?: number
  cursor?: string
}

/** The page of a list that a request asks for. */
export interface PageRequest<Key extends number | string = number> {
  cursor: Cursor<Key> | null
  size: number
  /** Rows to skip if there is no cursor. */
  skip: number
}

interface PageOptions {
  /** Number of segments of the list. */
  segmentCount?: number
  defaultSize?: number
}

/** Reads the page of a list whose keys are numbers from a query. @throws ApiError('invalid-page') for an invalid cursor */
export function parsePageRequest(query: CursorQuery, options: PageOptions = {}): PageRequest {
  const request = parseKeyedPageRequest(query, options)
  if (!hasNumberKey(request)) throw new ApiError('invalid-page')
  return request
}

/** Reads the page of a list whose keys can also be texts. @throws ApiError('invalid-page') for an invalid cursor */
export function parseKeyedPageRequest(
  query: CursorQuery,
  { segmentCount = 1, defaultSize = limits.pageSize }: PageOptions = {},
): PageRequest<number | string> {
  const cursor = query.cursor === undefined ? null : decodeCursor(query.cursor, segmentCount)
  if (query.cursor !== undefined && cursor === null) throw new ApiError('invalid-page')
  const { size, skip } = offsetOf(query, defaultSize)
  return { cursor, size, skip: cursor === null ? skip : 0 }
}

function hasNumberKey(request: PageRequest<number | string>): request is PageRequest {
  return typeof request.cursor?.key !== 'string'
}

/** Returns whether the rows of a page are read towards the beginning of the list. */
function isBackwards({ cursor }: Pick<PageRequest<number | string>, 'cursor'>): boolean {
  return cursor?.direction === 'before'
}

/**
 * Returns the end of a select that reads a page and one more row of a list ordered by `time` and `id`: a condition to
 * append to a `where` clause, the order and the limit.
 */
export function timeOrderedPage(
  db: Db,
  request: PageRequest,
  time: Fragment,
  id: Fragment,
  order: 'asc' | 'desc' = 'desc',
): Fragment {
  const toKey = (key: number) => cursorTime(db, key)
  return keyOrderedPage(db, request, { key: time, toKey, id, isAscending: order === 'asc' })
}

interface KeyOrder<Key> {
  /** What the rows are sorted by, and then by `id`. */
  key: Fragment
  /** Returns the value of `key` for the key of a cursor. */
  toKey: (key: Key) => Fragment
  id: Fragment
  isAscending: boolean
}

/** Returns the end of a select like `timeOrderedPage`, for a list in any order. */
export function keyOrderedPage<Key extends number | string>(
  db: Db,
  request: PageRequest<Key>,
  { key, toKey, id, isAscending }: KeyOrder<Key>,
): Fragment {
  const { cursor, size, skip } = request
  const isDescending = isAscending === isBackwards(request)
  const direction = db.unsafe(isDescending ? 'desc' : 'asc')
  // A literal, not a parameter: with a parameter, the planner does not know how few rows are needed.
  const end = db.unsafe(`limit ${Math.trunc(size) + 1} offset ${Math.trunc(skip)}`)
  const position =
    cursor === null
      ? db``
      : db`and (${key}, ${id}) ${db.unsafe(isDescending ? '<' : '>')} (${toKey(cursor.key)}, ${cursor.id}::bigint)`
  return db`${position} order by ${key} ${direction}, ${id} ${direction} ${end}`
}

/** Returns `time` in the format of a cursor, for the column `key` of each row. */
export function cursorKey(db: Db, time: Fragment): Fragment {
  return db`(extract(epoch from ${time}) * 1000000)::bigint`
}

/** Returns the time for the key of a cursor. */
export function cursorTime(db: Db, key: number): Fragment {
  return db`(timestamptz 'epoch' + ${key}::float8 * interval '1 microsecond')`
}

interface KeyedRow {
  id: number
  key: number | string
  segment?: number
}

/**
 * Returns the reply of a page.
 * @param rows the page and one row more, as `timeOrderedPage` reads them, in the order of the list
 * @param retainsCount whether the pages that it links to have the same count
 * @throws ApiError('invalid-page') past the end; an empty list has one page
 */
export function cursorPage<Row extends KeyedRow>(
  endpoint: Endpoint,
  { params, query }: { params?: Record<string, unknown>; query: CursorQuery },
  request: PageRequest<number | string>,
  count: number,
  rows: Row[],
  retainsCount = false,
): Page<Row> {
  const { cursor: _, page = 1, ...rest } = query
  const backwards = isBackwards(request)
  const more = rows.length > request.size
  const results = !more ? rows : backwards ? rows.slice(1) : rows.slice(0, request.size)
  const [first, last] = [results[0], results.at(-1)]
  if (page > 1 && first === undefined) throw new ApiError('invalid-page')
  const link = (number: number, direction: Cursor['direction'], { segment = 0, key, id }: Row) => {
    const counted = retainsCount ? { count } : {}
    const position = number === 1 ? {} : { cursor: encodeCursor({ direction, segment, key, id, ...counted }) }
    return endpointUrl(endpoint, params, { ...rest, page: number, ...position })
  }
  return {
    count,
    // A page that was reached backwards has a next page: the one that the user came from.
    next: last !== undefined && (more || backwards) ? link(page + 1, 'after', last) : null,
    previous: page > 1 && first !== undefined ? link(page - 1, 'before', first) : null,
    results,
  }
}
