/** The manual order of the bookmarks in a collection or channel. */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { Id, IdParams, nullable } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'

export const ReorderResult = t.Object({
  /** The bookmark before the moved one, now and before the move. Null: the moved one is, or was, first. */
  after: nullable(Id),
  previous_after: nullable(Id),
})
export type ReorderResult = t.Static<typeof ReorderResult>

export const reorderBookmark = endpoint({
  method: 'POST',
  path: '/bookmarks/:id/order/',
  summary: 'Move your bookmark within its collection or channel, which is then shown in its manual order',
  group: 'collections',
  auth: 'user',
  params: IdParams,
  body: t.Object(
    {
      /** The list in which it is moved: one of the two. */
      collection: t.Optional(Id),
      channel: t.Optional(Id),
      /** The bookmark that it is moved after; null: to the top. One of `after` and `position` is required. */
      after: t.Optional(nullable(Id)),
      /** From 1; a position past the end is the end. */
      position: t.Optional(t.Integer({ minimum: 1, maximum: limits.reorderPositionMax })),
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: ReorderResult,
  /** not-found: it is not your bookmark in that list. neighbour-missing: the bookmark `after` is not in the list. */
  errors: ['invalid', 'not-found', 'neighbour-missing', 'rate-limited'],
})
