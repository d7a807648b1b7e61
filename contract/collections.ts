import * as t from 'typebox'
import { endpoint } from './endpoint.ts'
import { BookmarkAccess, Id, IdParams, nullable } from './fields.ts'
import { PageQuery, pageOf, pageQuery } from './paging.ts'

export const Channel = t.Object({
  id: Id,
  name: t.String(),
  description: t.String(),
  /** camelCase as the specification's client reads it (product.md section 3). */
  imageUrl: nullable(t.String()),
  /** Those that the viewer may see. */
  bookmarks_count: t.Integer(),
})
export type Channel = t.Static<typeof Channel>

export const Collection = t.Object({
  id: Id,
  name: t.String(),
  description: t.String(),
  access: BookmarkAccess,
  display_image_url: nullable(t.String()),
  bookmarks_count: t.Integer(),
  channels: t.Array(Channel),
})
export type Collection = t.Static<typeof Collection>

export const listCollections = endpoint({
  method: 'GET',
  path: '/collections/',
  summary: "The signed-in user's own collections with their channels, or with `user` that user's public ones",
  tag: 'collections',
  access: 'viewer',
  query: t.Object(
    {
      ...pageQuery,
      /** A username; without it, oneself: 401 for a visitor. */
      user: t.Optional(t.String({ maxLength: 150 })),
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: pageOf(Collection),
  errors: ['invalid', 'not-signed-in', 'invalid-page'],
})

export const listChannels = endpoint({
  method: 'GET',
  path: '/collections/:id/channels/',
  summary: 'The channels of a collection',
  tag: 'collections',
  access: 'viewer',
  params: IdParams,
  query: PageQuery,
  status: 200,
  reply: pageOf(Channel),
  errors: ['invalid', 'not-found', 'invalid-page'],
})
