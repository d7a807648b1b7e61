/** Blocking users: hides the two from each other (docs/decisions/0012-blocking-and-muting.md). */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { IdParams, Time, UserSummary } from './protocol/fields.ts'
import { CursorQuery, pageOf } from './protocol/paging.ts'

export const BlockStatus = t.Object({ is_blocked: t.Boolean() })
export type BlockStatus = t.Static<typeof BlockStatus>

const blockBase = {
  method: 'POST',
  group: 'blocks',
  auth: 'user',
  params: IdParams,
  status: 200,
  reply: BlockStatus,
  errors: [
    'cannot-target-self',
    'unauthenticated',
    'invalid-token',
    'insufficient-scope',
    'not-found',
    'rate-limited',
  ],
} as const

export const blockUser = endpoint({
  ...blockBase,
  path: '/users/:id/block/',
  summary: 'Block a user; ends follows in both directions and hides each from the other',
})

export const unblockUser = endpoint({
  ...blockBase,
  path: '/users/:id/unblock/',
  summary: 'Unblock a user; does nothing if the user is not blocked',
})

export const Block = t.Object({ ...UserSummary.properties, blocked_at: Time })
export type Block = t.Static<typeof Block>

export const listBlocks = endpoint({
  method: 'GET',
  path: '/blocks/',
  summary: 'List the users you block, latest first',
  group: 'blocks',
  auth: 'user',
  query: CursorQuery,
  status: 200,
  reply: pageOf(Block),
  errors: ['invalid', 'unauthenticated', 'invalid-token', 'insufficient-scope', 'invalid-page'],
})
