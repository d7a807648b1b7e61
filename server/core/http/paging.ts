/** Paging by number, for short lists: `{count, next, previous, results}` (docs/behaviour.md, API). */
import { endpointUrl } from '@reelmark/contract/protocol/call.ts'
import type { Endpoint } from '@reelmark/contract/protocol/endpoint.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { ApiError } from './errors.ts'

export interface Page<Row> {
  count: number
  next: string | null
  previous: string | null
  results: Row[]
}

/** Returns offset and limit of a page. */
export function offsetOf(
  query: { page?: number; page_size?: number },
  defaultSize: number = limits.pageSize,
): { skip: number; size: number } {
  const size = query.page_size ?? defaultSize
  return { skip: ((query.page ?? 1) - 1) * size, size }
}

/**
 * Separates the count from the rows of a statement that reads both:
 *
 *     select total.count, page.* from (select count(*) …) total left join (…) page on true
 *
 * An empty page is one row with the count and an id that is null.
 */
export function splitCount<Row extends { id: unknown; count: number }>(
  rows: readonly Row[],
): { count: number; results: Row[] } {
  return { count: rows[0]?.count ?? 0, results: rows.filter(({ id }) => id !== null) }
}

/**
 * Returns the response for a page.
 * @throws ApiError('invalid-page') past the last page; an empty list has one page
 */
export function pageReply<Row>(
  endpoint: Endpoint,
  input: { params?: Record<string, unknown>; query: { page?: number; page_size?: number } },
  count: number,
  results: Row[],
): Page<Row> {
  const { page = 1 } = input.query
  const { skip } = offsetOf(input.query)
  if (page > 1 && results.length === 0) throw new ApiError('invalid-page')
  const link = (number: number) => endpointUrl(endpoint, input.params, { ...input.query, page: number })
  return {
    count,
    next: skip + results.length < count ? link(page + 1) : null,
    previous: page > 1 ? link(page - 1) : null,
    results,
  }
}
