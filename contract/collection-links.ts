/**
 * Secret links of collections. Everyone with the link sees the collection, also if it is private: it is unlisted. A link
 * that was replaced or deleted is answered like one that never existed (docs/decisions/0052-privacy-settings.md).
 */
import * as t from 'typebox'
import { Bookmark } from './bookmarks.ts'
import { ListOrder } from './collections.ts'
import { endpoint } from './protocol/endpoint.ts'
import {
  Id,
  IdParams,
  LinkToken,
  nullable,
  Orientation,
  Shape,
  Time,
  UserSummary,
} from './protocol/fields.ts'
import { cursorQuery, pageOf } from './protocol/paging.ts'

/** The link of a collection as its owner sees it. The numbers are those of bookmarks that the link can show, up to 10,000. */
export const CollectionLink = t.Object({
  link: nullable(
    t.Object({
      /** Part of the address: `/unlisted/{token}`. */
      token: t.String(),
      /** Whether it also shows bookmarks whose own access is private. */
      shows_private: t.Boolean(),
      created_at: Time,
    }),
  ),
  public_count: t.Integer(),
  private_count: t.Integer(),
})
export type CollectionLink = t.Static<typeof CollectionLink>

const ownLink = {
  path: '/collections/:id/link/',
  group: 'collections',
  auth: 'user',
  params: IdParams,
  errors: ['forbidden', 'not-found'],
} as const
const LinkInput = t.Object({ shows_private: t.Boolean() }, { additionalProperties: false })

export const getCollectionLink = endpoint({
  ...ownLink,
  method: 'GET',
  summary: 'Get the secret link of your collection, if it has one',
  status: 200,
  reply: CollectionLink,
  // Also for public collections of others, whose links only their owner reads.
  errors: ['not-found'],
})

export const createCollectionLink = endpoint({
  ...ownLink,
  method: 'POST',
  summary: 'Create a secret link to your collection; an earlier link stops working',
  body: LinkInput,
  status: 201,
  reply: CollectionLink,
  errors: ['invalid', ...ownLink.errors, 'rate-limited'],
})

export const updateCollectionLink = endpoint({
  ...ownLink,
  method: 'PATCH',
  summary: 'Change which bookmarks the secret link of your collection shows',
  body: LinkInput,
  status: 200,
  reply: CollectionLink,
  errors: ['invalid', ...ownLink.errors],
})

export const deleteCollectionLink = endpoint({
  ...ownLink,
  method: 'DELETE',
  summary: 'Revoke the secret link of your collection',
  status: 204,
  reply: t.Null(),
})

/** A bookmark as the page of an unlisted collection lists it. */
export const UnlistedItem = t.Object({
  id: Id,
  title: t.String(),
  thumbnail_url: nullable(t.String()),
  host: t.String(),
  orientation: Orientation,
  shape: Shape,
  duration: nullable(t.Integer()),
  created_at: Time,
  /** Present for signed-in viewers only. */
  is_watched: t.Optional(t.Boolean()),
})
export type UnlistedItem = t.Static<typeof UnlistedItem>

export const UnlistedCollection = t.Object({
  ...pageOf(UnlistedItem).properties,
  name: t.String(),
  description: t.String(),
  user: UserSummary,
  /** The order of the page. */
  order: ListOrder,
})
export type UnlistedCollection = t.Static<typeof UnlistedCollection>

const unlisted = { method: 'GET', group: 'collections', auth: 'anyone', status: 200 } as const

export const getUnlistedCollection = endpoint({
  ...unlisted,
  auth: 'viewer',
  path: '/unlisted/:token/',
  summary: 'Get a collection and a page of its bookmarks by its secret link',
  params: t.Object({ token: LinkToken }),
  query: t.Object(
    {
      ...cursorQuery,
      /** Without it, the order that the owner chose. Required with a cursor. Up to 10,000 bookmarks are sorted by title. */
      sort: t.Optional(ListOrder),
    },
    { additionalProperties: false },
  ),
  reply: UnlistedCollection,
  errors: ['invalid', 'not-found', 'invalid-page'],
})

export const getUnlistedBookmark = endpoint({
  ...unlisted,
  path: '/unlisted/:token/bookmarks/:id/',
  summary: 'Get a bookmark of a collection by the secret link of the collection',
  params: t.Object({ token: LinkToken, id: Id }),
  reply: Bookmark,
  errors: ['not-found'],
})
