/** The one listing behind Explore, search, profiles, channels and feeds (docs/behaviour.md, Lists and search). */
import * as t from 'typebox'
import { bookmarkFilters } from './bookmark-filters.ts'
import { endpoint } from './protocol/endpoint.ts'
import { Id, IdParams, nullable, Orientation, Shape, Time } from './protocol/fields.ts'
import { cursorQuery, pageOf } from './protocol/paging.ts'

export const listingOrders = [
  'newest',
  'oldest',
  'most_saved',
  'most_liked',
  'longest',
  'shortest',
  'title',
  'last_watched',
  'relevance',
] as const
/**
 * `all` is newest first; `following` is the feed, newest first; `manual` is the order that the owner of a collection or
 * channel made. Without a sort, a collection or channel has the order that its owner chose, and other lists are newest first.
 */
export const sorts = ['all', 'random', 'following', 'manual', ...listingOrders] as const

/** What every list of bookmarks can be filtered and ordered by. */
export const listingFields = {
  ...cursorQuery,
  ...bookmarkFilters,
  sort: t.Optional(t.Enum(listingOrders, { default: 'newest' })),
  /** Turns off the correction of misspelt words. */
  literal: t.Optional(t.Boolean()),
}

export const ListingQuery = t.Object(
  {
    ...listingFields,
    sort: t.Optional(t.Enum(sorts)),
    /** With the name of the viewer, all of their own bookmarks: a search also finds words of private notes. */
    user: t.Optional(t.String({ maxLength: 150 })),
    liked_by: t.Optional(t.String({ maxLength: 150 })),
    /** False leaves out the viewer's own bookmarks in Watch Later, true lists only those. */
    watch_later: t.Optional(t.Boolean()),
    /** What a smart collection finds. Combines only with `q`, `sort` and `orientation`. */
    smart_collection: t.Optional(Id),
    following: t.Optional(t.Boolean()),
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
  /** True: its host no longer has the video. Otherwise null. */
  is_missing: t.Optional(nullable(t.Boolean())),
  /** This and the next two fields are present for signed-in viewers only. */
  is_liked: t.Optional(t.Boolean()),
  is_watched: t.Optional(t.Boolean()),
  is_in_watch_later: t.Optional(t.Boolean()),
  /** In lists of the viewer's own bookmarks only. */
  collection_id: t.Optional(Id),
  /** In the feed only: how many other followed users saved the video, at most 99. */
  other_savers_count: t.Optional(t.Integer()),
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

export const listOtherSources = endpoint({
  method: 'GET',
  path: '/bookmarks/:id/other-sources/',
  summary: 'List other links to what seems to be the same work: with the same title and duration',
  group: 'listing',
  auth: 'viewer',
  params: IdParams,
  status: 200,
  reply: pageOf(ListingItem),
  errors: ['not-found'],
})

/**
 * The list whose bookmarks are played: the parameters of `listVideos` without those of its pages. `shuffle` plays it in a
 * random order, which the number determines.
 */
export const PlayQueueQuery = t.Object(
  {
    ...t.Omit(ListingQuery, ['page', 'page_size', 'cursor']).properties,
    shuffle: t.Optional(t.Integer({ minimum: 0, maximum: 2_147_483_647 })),
    /** The video with which the random order begins. */
    shuffle_from: t.Optional(Id),
  },
  { additionalProperties: false },
)
export type PlayQueueQuery = t.Static<typeof PlayQueueQuery>

/** The bookmarks of a list in the order they are played, which is the order of the list or random. */
export const PlayQueue = t.Object({
  /** Length of the whole queue, as the list counts it. */
  count: t.Integer(),
  count_is_estimate: t.Optional(t.Boolean()),
  /** Position of the requested bookmark, from 1; null if it is not counted: in feeds, and far from the beginning. */
  position: nullable(t.Integer()),
  /** Null: another list than that of a collection or channel is played. */
  collection: nullable(t.Object({ id: Id, name: t.String() })),
  /** Null: the whole collection is played. */
  channel: nullable(t.Object({ id: Id, name: t.String() })),
  /** Owner of the collection. */
  user_username: nullable(t.String()),
  /** In order: up to `limits.playQueueBeforeMax` bookmarks, the requested one, and up to `limits.playQueueAfterMax`. */
  results: t.Array(ListingItem),
})
export type PlayQueue = t.Static<typeof PlayQueue>

export const getPlayQueue = endpoint({
  method: 'GET',
  path: '/bookmarks/:id/play-queue/',
  summary: 'Get the bookmarks before and after a bookmark in a list',
  group: 'listing',
  auth: 'viewer',
  params: IdParams,
  query: PlayQueueQuery,
  status: 200,
  reply: PlayQueue,
  /** not-found: also if the bookmark is not in that list. */
  errors: ['invalid', 'unauthenticated', 'not-found'],
})

export const getPlayStart = endpoint({
  method: 'GET',
  path: '/videos/play-start/',
  summary: 'Get the bookmark with which a list is played: the first that the viewer has not watched',
  group: 'listing',
  auth: 'viewer',
  query: t.Object(
    {
      ...PlayQueueQuery.properties,
      /** Starts with the first bookmark. Without it: the first unwatched one, or the first if all are watched. */
      from_beginning: t.Optional(t.Boolean()),
    },
    { additionalProperties: false },
  ),
  status: 200,
  /** Null: the list is empty. */
  reply: t.Object({ bookmark_id: nullable(Id) }),
  /** not-found: the smart collection does not exist, or the viewer may not see it. */
  errors: ['invalid', 'unauthenticated', 'not-found'],
})
