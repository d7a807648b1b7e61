/** Smart collections: stored searches of a user, which are evaluated each time they are opened. */
import * as t from 'typebox'
import { bookmarkFilters } from './bookmark-filters.ts'
import { listingOrders } from './listing.ts'
import { endpoint } from './protocol/endpoint.ts'
import {
  BookmarkAccess,
  Id,
  IdParams,
  OrientationFilter,
  optionalText,
  Time,
  text,
  UserSummary,
} from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { PageQuery, pageOf, pageQuery } from './protocol/paging.ts'
import { dependsOnViewer, parseSearch } from './search-terms.ts'

/** `own`: the owner's bookmarks. `liked`: videos that the owner likes. `all`: what Explore lists. */
const smartScopes = ['own', 'liked', 'all'] as const
export const smartOrders = ['random', ...listingOrders] as const

/** The list that a smart collection shows: the same filters and orders as those of `listVideos`. */
export const SmartQuery = t.Object(
  {
    scope: t.Enum(smartScopes),
    ...bookmarkFilters,
    // Without a default, so that a stored query contains only what its owner chose.
    orientation: t.Optional(OrientationFilter),
    sort: t.Optional(t.Enum(smartOrders)),
    /** As the library without filters: the owner's bookmarks in Watch Later are left out. Says nothing about other bookmarks. */
    watch_later: t.Optional(t.Literal(false)),
  },
  { additionalProperties: false },
)
export type SmartQuery = t.Static<typeof SmartQuery>

/** For each filter, whether what it finds depends on what only its user knows. */
const isPersonalFilter: Record<keyof typeof bookmarkFilters, boolean> = {
  // Its operators are checked one by one.
  q: false,
  orientation: false,
  tag: false,
  collection: false,
  channel: false,
  host: false,
  min_duration: false,
  max_duration: false,
  saved_after: false,
  saved_before: false,
  watched: true,
  access: true,
  untagged: true,
  no_picture: true,
  no_player: true,
}

/** Returns the filters that a query can have. */
export function smartFilterNames() {
  return Object.keys(isPersonalFilter) as (keyof typeof bookmarkFilters)[]
}

/**
 * Returns whether a query depends on what only its owner knows: watched marks, notes, and which bookmarks are private.
 * Such a smart collection can only be private, so that what it contains reveals nothing.
 */
export function isPersonalQuery(query: SmartQuery): boolean {
  return (
    query.sort === 'last_watched' ||
    smartFilterNames().some((name) => isPersonalFilter[name] && query[name] !== undefined) ||
    dependsOnViewer(parseSearch(query.q ?? ''))
  )
}

export const SmartCollection = t.Object({
  id: Id,
  name: t.String(),
  description: t.String(),
  access: BookmarkAccess,
  user: UserSummary,
  is_owner: t.Boolean(),
  created_at: Time,
  /** Only the owner gets it. */
  query: t.Optional(SmartQuery),
})
export type SmartCollection = t.Static<typeof SmartCollection>

export const listSmartCollections = endpoint({
  method: 'GET',
  path: '/smart-collections/',
  summary: 'List your smart collections, or with `user` the public ones of that user',
  group: 'smart collections',
  auth: 'viewer',
  query: t.Object(
    {
      ...pageQuery,
      /** A username. Without it, the viewer's own smart collections; visitors get 401. */
      user: t.Optional(t.String({ maxLength: 150 })),
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: pageOf(SmartCollection),
  errors: ['invalid', 'unauthenticated', 'invalid-page'],
})

export const createSmartCollection = endpoint({
  method: 'POST',
  path: '/smart-collections/',
  summary: 'Save a search as a smart collection',
  group: 'smart collections',
  auth: 'user',
  body: t.Object(
    {
      name: text(limits.nameMax),
      description: t.Optional(optionalText(limits.descriptionMax)),
      /** Default: private. A query that depends on what only you know can only be private. */
      access: t.Optional(BookmarkAccess),
      query: SmartQuery,
    },
    { additionalProperties: false },
  ),
  status: 201,
  reply: SmartCollection,
  errors: ['invalid', 'limit-reached', 'idempotency-key-in-use', 'idempotency-key-reused', 'rate-limited'],
  idempotent: true,
})

export const getSmartCollection = endpoint({
  method: 'GET',
  path: '/smart-collections/:id/',
  summary: 'Get a smart collection; its bookmarks are `GET /videos/?smart_collection=`',
  group: 'smart collections',
  auth: 'viewer',
  params: IdParams,
  status: 200,
  reply: SmartCollection,
  errors: ['not-found'],
})

export const updateSmartCollection = endpoint({
  method: 'PATCH',
  path: '/smart-collections/:id/',
  summary: 'Change your smart collection: name, description, access, query',
  group: 'smart collections',
  auth: 'user',
  params: IdParams,
  body: t.Object(
    {
      name: t.Optional(text(limits.nameMax)),
      description: t.Optional(optionalText(limits.descriptionMax)),
      access: t.Optional(BookmarkAccess),
      query: t.Optional(SmartQuery),
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: SmartCollection,
  errors: ['invalid', 'forbidden', 'not-found', 'rate-limited'],
})

export const deleteSmartCollection = endpoint({
  method: 'DELETE',
  path: '/smart-collections/:id/',
  summary: 'Move your smart collection to the trash; it is deleted permanently after 30 days',
  group: 'smart collections',
  auth: 'user',
  params: IdParams,
  status: 204,
  reply: t.Null(),
  errors: ['forbidden', 'not-found'],
})

export const restoreSmartCollection = endpoint({
  method: 'POST',
  path: '/smart-collections/:id/restore/',
  summary: 'Restore your smart collection from the trash',
  group: 'smart collections',
  auth: 'user',
  params: IdParams,
  status: 200,
  reply: SmartCollection,
  errors: ['not-found', 'limit-reached', 'rate-limited'],
})

export const listTrashedSmartCollections = endpoint({
  method: 'GET',
  path: '/smart-collections/trash/',
  summary: 'List your deleted smart collections, latest first',
  group: 'smart collections',
  auth: 'user',
  query: PageQuery,
  status: 200,
  reply: pageOf(t.Object({ id: Id, name: t.String(), deleted_at: Time })),
  errors: ['invalid', 'invalid-page'],
})
