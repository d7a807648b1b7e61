/** Lists: `{count, next, previous, results}`, pages from 1 (docs/behaviour.md, API). */
import * as t from 'typebox'
import * as limits from './limits.ts'

export const pageQuery = {
  page: t.Optional(t.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
  page_size: t.Optional(t.Integer({ minimum: 1, maximum: limits.maxPageSize, default: limits.pageSize })),
}

export const PageQuery = t.Object(pageQuery, { additionalProperties: false })

/** `cursor` is taken from `next` or `previous`. With a cursor every page costs the same as the first. */
export const cursorQuery = { ...pageQuery, cursor: t.Optional(t.String({ maxLength: 300 })) }

export const CursorQuery = t.Object(cursorQuery, { additionalProperties: false })

/** A search for names. A text without letters and digits finds nothing. `limits.nameSearchMax` matches are counted. */
export const NameSearchQuery = t.Object(
  { ...pageQuery, q: t.String({ maxLength: limits.searchMax }) },
  { additionalProperties: false },
)

/** Returns the schema of a list reply with rows of `row`. `next` and `previous` are absolute paths or null. */
export function pageOf<S extends t.TSchema>(row: S) {
  return t.Object({
    count: t.Integer(),
    /** Present and true if the count, which exceeds 10,000, is an estimate. */
    count_is_estimate: t.Optional(t.Boolean()),
    next: t.Union([t.String(), t.Null()]),
    previous: t.Union([t.String(), t.Null()]),
    results: t.Array(row),
  })
}

/** Returns the number of pages; an empty list has one. */
export function pageCount(count: number, pageSize: number): number {
  return Math.max(1, Math.ceil(count / pageSize))
}
