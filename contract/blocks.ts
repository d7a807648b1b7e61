/** Blocking people: both are out of each other's sight (docs/decisions/0012-blocking-and-muting.md). */
import * as t from 'typebox'
import { endpoint } from './endpoint.ts'
import { IdParams, Person, Time } from './fields.ts'
import { CursorQuery, pageOf } from './paging.ts'

export const BlockStatus = t.Object({ is_blocked: t.Boolean() })
export type BlockStatus = t.Static<typeof BlockStatus>

const blocking = {
  method: 'POST',
  tag: 'blocks',
  access: 'user',
  params: IdParams,
  status: 200,
  reply: BlockStatus,
  errors: ['yourself', 'not-signed-in', 'bad-token', 'no-scope', 'not-found', 'too-many'],
} as const

export const blockUser = endpoint({
  ...blocking,
  path: '/users/:id/block/',
  summary: 'Block somebody: neither of you follows or finds the other any more',
})

export const unblockUser = endpoint({
  ...blocking,
  path: '/users/:id/unblock/',
  summary: 'Block somebody no more; nothing where you do not',
})

export const Block = t.Object({ ...Person.properties, blocked_at: Time })
export type Block = t.Static<typeof Block>

export const listBlocks = endpoint({
  method: 'GET',
  path: '/blocks/',
  summary: 'Whom you block, the latest first',
  tag: 'blocks',
  access: 'user',
  query: CursorQuery,
  status: 200,
  reply: pageOf(Block),
  errors: ['invalid', 'not-signed-in', 'bad-token', 'no-scope', 'invalid-page'],
})
