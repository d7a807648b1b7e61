/**
 * Subscriptions to channels, playlists and feeds of other sites: the server looks for new videos about once an hour and saves them
 * into a collection of the user. What is there when the user subscribes is not saved; it can be imported (imports.ts).
 */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { BookmarkAccess, Id, IdParams, nullable, Time } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'

const noExtraProperties = { additionalProperties: false } as const

const named = nullable(t.Object({ id: Id, name: t.String() }))

export const Subscription = t.Object({
  id: Id,
  url: t.String(),
  /** As the site names the list; blank until it was read for the first time. */
  title: t.String(),
  /** Null: it was deleted, and nothing is saved until the user chooses another one. */
  collection: named,
  channel: named,
  /** Access of the bookmarks that are saved. */
  access: BookmarkAccess,
  /** Paused by the user, or after too many failures. */
  is_paused: t.Boolean(),
  /** Why the last check failed, or a video could not be saved; null if neither. */
  problem: nullable(t.String()),
  /** How many bookmarks were saved. */
  saved_count: t.Integer(),
  checked_at: nullable(Time),
  created_at: Time,
})
export type Subscription = t.Static<typeof Subscription>

const own = { group: 'subscriptions', auth: 'user', invalidatesCache: false } as const
const ownErrors = ['unauthenticated', 'invalid-token', 'insufficient-scope'] as const
const changeErrors = [
  'invalid',
  'malformed-body',
  ...ownErrors,
  'too-large',
  'unsupported-type',
  'rate-limited',
] as const

/** The collection, or a channel in it, into which new videos are saved. */
const destination = {
  collection_id: t.Optional(Id),
  channel_id: t.Optional(nullable(Id)),
}

export const listSubscriptions = endpoint({
  ...own,
  method: 'GET',
  path: '/subscriptions/',
  summary: `List your subscriptions, newest first, at most ${limits.subscriptionsMax}`,
  status: 200,
  reply: t.Array(Subscription),
  errors: ownErrors,
})

export const createSubscription = endpoint({
  ...own,
  method: 'POST',
  path: '/subscriptions/',
  summary:
    'Subscribe to a channel, playlist or feed, or change the destination of an existing subscription to it',
  body: t.Object(
    {
      url: t.String({ minLength: 1, maxLength: limits.urlMax }),
      ...destination,
      access: t.Optional(t.Enum(['public', 'private'], { default: 'private' })),
    },
    noExtraProperties,
  ),
  status: 201,
  reply: Subscription,
  errors: [...changeErrors, 'limit-reached'],
})

export const updateSubscription = endpoint({
  ...own,
  method: 'PATCH',
  path: '/subscriptions/:id/',
  summary: 'Pause or resume a subscription, or change where it saves; resuming checks it soon',
  params: IdParams,
  body: t.Object(
    { ...destination, access: t.Optional(BookmarkAccess), is_paused: t.Optional(t.Boolean()) },
    noExtraProperties,
  ),
  status: 200,
  reply: Subscription,
  errors: [...changeErrors, 'not-found'],
})

export const deleteSubscription = endpoint({
  ...own,
  method: 'DELETE',
  path: '/subscriptions/:id/',
  summary: 'End a subscription; its bookmarks stay',
  params: IdParams,
  status: 204,
  reply: t.Null(),
  errors: [...ownErrors, 'not-found', 'rate-limited'],
})
