/** The one listing behind Explore, search, profiles, channels and feeds (docs/behaviour.md, Lists and search). */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { Id, IdParams, nullable, Orientation, orientationFilters, Shape, Time } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { cursorQuery, pageOf } from './protocol/paging.ts'

export const listingOrders = [
  'newest',
  'oldest',
  'most_saved',
  'most_liked',
  'longest',
  'shortest',
  'title',
] as const
/** `all` is newest first; `following` is the feed, newest first. */
export const sorts = ['all', 'random', 'following', ...listingOrders] as const

const Duration = t.Integer({ minimum: 0, maximum: limits.durationMax })
/** A day, month or year in UTC: `2025-01-31`, `2025-01` or `2025`. */
const SavedDate = t.String({ maxLength: 10 })

export const ListingQuery = t.Object(
  {
    ...cursorQuery,
    sort: t.Optional(t.Enum(sorts, { default: 'all' })),
    orientation: t.Optional(t.Enum(orientationFilters, { default: 'all' })),
    /** Search: every term must match. Its syntax is in search-terms.ts and docs/behaviour.md (Lists and search). */
    q: t.Optional(t.String({ maxLength: limits.searchMax })),
    tag: t.Optional(t.String({ maxLength: limits.tagMax })),
    user: t.Optional(t.String({ maxLength: 150 })),
    liked_by: t.Optional(t.String({ maxLength: 150 })),
    channel: t.Optional(Id),
    collection: t.Optional(Id),
    /** A site, with its subdomains; the same as `site:x` in a search. */
    host: t.Optional(t.String({ maxLength: limits.hostMax })),
    /** In seconds. Videos of unknown duration match neither. */
    min_duration: t.Optional(Duration),
    max_duration: t.Optional(Duration),
    /** Saved on that date or later. */
    saved_after: t.Optional(SavedDate),
    /** Saved before that date. */
    saved_before: t.Optional(SavedDate),
    following: t.Optional(t.Boolean()),
    /** Turns off the correction of misspelt words. */
    literal: t.Optional(t.Boolean()),
    /** For `sort=random`: the seed from the first page, sent with each following page. */
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
  /** In seconds. */
  duration: nullable(t.Integer()),
  created_at: Time,
  saves_count: t.Integer(),
  likes_count: t.Integer(),
  is_public: t.Boolean(),
  /** This and the next two fields are present for signed-in viewers only. */
  is_liked: t.Optional(t.Boolean()),
  is_watched: t.Optional(t.Boolean()),
  is_in_watch_later: t.Optional(t.Boolean()),
})
export type ListingItem = t.Static<typeof ListingItem>

export const ListingPage = t.Object({
  ...pageOf(ListingItem).properties,
  seed: t.Optional(t.Integer()),
  /** Present if nothing matches the search as entered: each word that nothing contains, with the similar words shown. */
  corrected: t.Optional(t.Array(t.Object({ word: t.String(), replacements: t.Array(t.String()) }))),
})
export type ListingPage = t.Static<typeof ListingPage>

export const listVideos = endpoint({
  method: 'GET',
  path: '/videos/',
  summary: 'List bookmarks for Explore, search, profiles, channels, collections and feeds',
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
  summary: 'List similar bookmarks of the same orientation: by tags, otherwise by host or owner',
  group: 'listing',
  auth: 'viewer',
  params: IdParams,
  status: 200,
  reply: pageOf(ListingItem),
  errors: ['not-found'],
})

/** The bookmarks of a channel or collection in the order they are played, which is the order of its list. */
export const PlayQueue = t.Object({
  /** Length of the whole queue, counted up to `limits.exactCountMax`. */
  count: t.Integer(),
  count_is_estimate: t.Optional(t.Boolean()),
  /** Position of the requested bookmark, from 1; null beyond `limits.exactCountMax`. */
  position: nullable(t.Integer()),
  collection: t.Object({ id: Id, name: t.String() }),
  /** Null: the whole collection is played. */
  channel: nullable(t.Object({ id: Id, name: t.String() })),
  /** Owner of the collection. */
  user_username: t.String(),
  /** In order: up to `limits.playQueueBeforeMax` bookmarks, the requested one, and up to `limits.playQueueAfterMax`. */
  results: t.Array(ListingItem),
})
export type PlayQueue = t.Static<typeof PlayQueue>

export const getPlayQueue = endpoint({
  method: 'GET',
  path: '/bookmarks/:id/play-queue/',
  summary: 'Get the bookmarks before and after a bookmark in its channel or collection',
  group: 'listing',
  auth: 'viewer',
  params: IdParams,
  /** One of the two is required; `channel` takes precedence. */
  query: t.Object({ channel: t.Optional(Id), collection: t.Optional(Id) }, { additionalProperties: false }),
  status: 200,
  reply: PlayQueue,
  /** not-found: also if the bookmark is not in that channel or collection. */
  errors: ['invalid', 'not-found'],
})
