/** The one listing behind Explore, search, profiles, channels and feeds (docs/behaviour.md, Lists and search). */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { Id, IdParams, nullable, Orientation, orientationFilters, Shape, Time } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { cursorQuery, pageOf } from './protocol/paging.ts'

export const sorts = ['all', 'random', 'following'] as const

export const ListingQuery = t.Object(
  {
    ...cursorQuery,
    sort: t.Optional(t.Enum(sorts, { default: 'all' })),
    orientation: t.Optional(t.Enum(orientationFilters, { default: 'all' })),
    /** Every word must match; `"a phrase"`, `-word`, `tag:x`, `user:x`, `site:x`. */
    q: t.Optional(t.String({ maxLength: limits.searchMax })),
    tag: t.Optional(t.String({ maxLength: limits.tagMax })),
    user: t.Optional(t.String({ maxLength: 150 })),
    liked_by: t.Optional(t.String({ maxLength: 150 })),
    channel: t.Optional(Id),
    collection: t.Optional(Id),
    following: t.Optional(t.Boolean()),
    /** Of a random listing: what its first page answered; the following pages send it back. */
    seed: t.Optional(t.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  },
  { additionalProperties: false },
)
export type ListingQuery = t.Static<typeof ListingQuery>

export const ListingItem = t.Object({
  id: Id,
  video_id: Id,
  title: t.String(),
  thumbnail_url: nullable(t.String()),
  thumbnail_large_url: nullable(t.String()),
  user_username: t.String(),
  host: t.String(),
  orientation: Orientation,
  shape: Shape,
  /** Seconds. */
  duration: nullable(t.Integer()),
  created_at: Time,
  saves_count: t.Integer(),
  likes_count: t.Integer(),
  is_public: t.Boolean(),
  /** These three are told to whoever is signed in. */
  is_liked: t.Optional(t.Boolean()),
  is_watched: t.Optional(t.Boolean()),
  is_in_watch_later: t.Optional(t.Boolean()),
})
export type ListingItem = t.Static<typeof ListingItem>

export const ListingPage = t.Object({ ...pageOf(ListingItem).properties, seed: t.Optional(t.Integer()) })
export type ListingPage = t.Static<typeof ListingPage>

export const listVideos = endpoint({
  method: 'GET',
  path: '/videos/',
  summary: 'Explore, search, profiles, channels and feeds: bookmarks as cards',
  group: 'listing',
  auth: 'viewer',
  query: ListingQuery,
  status: 200,
  reply: ListingPage,
  errors: ['invalid', 'unauthenticated', 'invalid-page'],
})

export const listSimilar = endpoint({
  method: 'GET',
  path: '/bookmarks/:id/similar/',
  summary: 'A few others like a bookmark, of the same orientation: by its tags, else by its host or owner',
  group: 'listing',
  auth: 'viewer',
  params: IdParams,
  status: 200,
  reply: pageOf(ListingItem),
  errors: ['not-found'],
})

/** What is played one after the other: the bookmarks of a channel or a collection, in the order of its list. */
export const PlayQueue = t.Object({
  /** In all; counted up to limits.exactCount. */
  count: t.Integer(),
  count_is_estimate: t.Optional(t.Boolean()),
  /** Of the bookmark asked about, from 1; null past limits.exactCount. */
  position: nullable(t.Integer()),
  collection: t.Object({ id: Id, name: t.String() }),
  /** Null where the whole collection is played. */
  channel: nullable(t.Object({ id: Id, name: t.String() })),
  /** Whose place it is. */
  user_username: t.String(),
  /** In order: at most limits.queueBefore that come before it, the bookmark itself, and limits.queueAfter after it. */
  results: t.Array(ListingItem),
})
export type PlayQueue = t.Static<typeof PlayQueue>

export const getPlayQueue = endpoint({
  method: 'GET',
  path: '/bookmarks/:id/queue/',
  summary: 'What comes before and after a bookmark in its channel or collection',
  group: 'listing',
  auth: 'viewer',
  params: IdParams,
  /** One of the two; with both, the channel. */
  query: t.Object({ channel: t.Optional(Id), collection: t.Optional(Id) }, { additionalProperties: false }),
  status: 200,
  reply: PlayQueue,
  /** not-found: also where the bookmark is not, or no longer, in that place. */
  errors: ['invalid', 'not-found'],
})
