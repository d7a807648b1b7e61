/** The videos that the viewer watched, private to the viewer. */
import * as t from 'typebox'
import { ListingItem } from './listing.ts'
import { endpoint } from './protocol/endpoint.ts'
import { Time } from './protocol/fields.ts'
import { CursorQuery, pageOf } from './protocol/paging.ts'

export const HistoryItem = t.Object({ ...ListingItem.properties, watched_at: Time })
export type HistoryItem = t.Static<typeof HistoryItem>

export const listHistory = endpoint({
  method: 'GET',
  path: '/history/',
  summary: 'List the videos you watched, latest first',
  group: 'collecting',
  auth: 'user',
  query: CursorQuery,
  status: 200,
  /** A video is shown as your own bookmark of it, otherwise as its lead bookmark. */
  reply: pageOf(HistoryItem),
  errors: ['invalid', 'invalid-page'],
})
