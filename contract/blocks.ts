/** Blocking people: both are out of each other's sight (docs/decisions/0012-blocking-and-muting.md). */
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
  summary: 'Block somebody: neither of you follows or finds the other any more',
})

export const unblockUser = endpoint({
  ...blockBase,
  path: '/users/:id/unblock/',
  summary: 'Block somebody no more; nothing where you do not',
})

export const Block = t.Object({ ...UserSummary.properties, blocked_at: Time })
export type Block = t.Static<typeof Block>

export const listBlocks = endpoint({
  method: 'GET',
  path: '/blocks/',
  summary: 'Whom you block, the latest first',
  group: 'blocks',
  auth: 'user',
  query: CursorQuery,
  status: 200,
  reply: pageOf(Block),
  errors: ['invalid', 'unauthenticated', 'invalid-token', 'insufficient-scope', 'invalid-page'],
})
