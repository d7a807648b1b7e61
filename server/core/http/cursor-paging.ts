/** Lists of any depth, paged by a cursor: `{count, next, previous, results}` (docs/behaviour.md, API). */
import { endpointUrl } from '@reelmark/contract/protocol/call.ts'
import type { Endpoint } from '@reelmark/contract/protocol/endpoint.ts'
import type { Db, Fragment } from '../database/database.ts'
import { type Cursor, decodeCursor, encodeCursor } from './cursor.ts'
import { ApiError } from './errors.ts'
import { offsetOf, type Page } from './paging.ts'

interface CursorQuery {
  page?: number
  page_size?: number
  cursor?: string
}

/** What part of a list is asked for. */
export interface PageRequest {
  cursor: Cursor | null
  size: number
  /** Rows before it, where no cursor says where it starts. */
  skip: number
}

/** The part that a page is. @throws ApiError('invalid-page') for a cursor that no list wrote. */
export function parsePageRequest(query: CursorQuery): PageRequest {
  const cursor = query.cursor === undefined ? null : decodeCursor(query.cursor, 1)
  if (query.cursor !== undefined && cursor === null) throw new ApiError('invalid-page')
  const { size, skip } = offsetOf(query)
  return { cursor, size, skip: cursor === null ? skip : 0 }
}

/**
 * The end of a select of a part, and of one row more, of what is ordered by `time` and then `id`, both descending:
 * conditions, order and limit. Goes on after a `where …`.
 */
export function newestFirstPage(
  db: Db,
  { cursor, size, skip }: PageRequest,
  time: Fragment,
  id: Fragment,
): Fragment {
  // Written out: a bound LIMIT hides from the planner how few rows are wanted.
  const end = db.unsafe(`limit ${Math.trunc(size) + 1} offset ${Math.trunc(skip)}`)
  if (cursor === null) return db`order by ${time} desc, ${id} desc ${end}`
  const at = db`(timestamptz 'epoch' + ${cursor.key}::float8 * interval '1 microsecond', ${cursor.id}::bigint)`
  return cursor.direction === 'after'
    ? db`and (${time}, ${id}) < ${at} order by ${time} desc, ${id} desc ${end}`
    : db`and (${time}, ${id}) > ${at} order by ${time}, ${id} ${end}`
}

/** `time` as a cursor holds it: the column `key` of each row. */
export function cursorKey(db: Db, time: Fragment): Fragment {
  return db`(extract(epoch from ${time}) * 1000000)::bigint`
}

/**
 * The reply of a page.
 * @param rows as read with `newestFirst`, sorted newest first
 * @throws ApiError('invalid-page') past the end; an empty list has one page
 */
export function cursorPage<Row extends { id: number; key: number }>(
  endpoint: Endpoint,
  input: { params?: Record<string, unknown>; query: CursorQuery },
  { cursor, size }: PageRequest,
  count: number,
  rows: Row[],
): Page<Row> {
  const { cursor: _, page = 1, ...rest } = input.query
  const backwards = cursor?.direction === 'before'
  const more = rows.length > size
  const results = !more ? rows : backwards ? rows.slice(1) : rows.slice(0, size)
  const [first, last] = [results[0], results.at(-1)]
  if (page > 1 && first === undefined) throw new ApiError('invalid-page')
  const link = (number: number, direction: Cursor['direction'], row: Row) => {
    const position = number === 1 ? {} : { cursor: encodeCursor({ ...row, direction, segment: 0 }) }
    return endpointUrl(endpoint, input.params, { ...rest, page: number, ...position })
  }
  return {
    count,
    // Whoever came backwards came from a page that is still there.
    next: last !== undefined && (more || backwards) ? link(page + 1, 'after', last) : null,
    previous: page > 1 && first !== undefined ? link(page - 1, 'before', first) : null,
    results,
  }
}
