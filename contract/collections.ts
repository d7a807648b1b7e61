import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import {
  BookmarkAccess,
  Id,
  IdParams,
  nullable,
  Orientation,
  optionalText,
  Time,
  text,
  UserSummary,
} from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { PageQuery, pageOf, pageQuery } from './protocol/paging.ts'

export const Channel = t.Object({
  id: Id,
  name: t.String(),
  description: t.String(),
  /** In camelCase because existing clients expect it (docs/behaviour.md, API). */
  imageUrl: nullable(t.String()),
  /** What the picture is about: one of adult content is covered until somebody says that they are of age. */
  image_orientation: nullable(Orientation),
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
  /** As `image_orientation` of a channel. */
  display_image_orientation: nullable(Orientation),
  bookmarks_count: t.Integer(),
  channels: t.Array(Channel),
  /** There and true for the one that 'Watch Later' fills; told to its owner alone. */
  is_watch_later: t.Optional(t.Boolean()),
})
export type Collection = t.Static<typeof Collection>

/** What the pages of both tell beside what lists tell. */
const containerPageFields = {
  /** For previews elsewhere: of a bookmark that everyone may see and that is no adult content. */
  share_image_url: nullable(t.String()),
  /** The bookmark whose picture the owner chose; null: the newest one's. Told to the owner alone. */
  cover_bookmark_id: nullable(Id),
}

/** A collection on a page of its own. */
export const CollectionPage = t.Object({
  ...Collection.properties,
  ...containerPageFields,
  user: UserSummary,
  is_owner: t.Boolean(),
  created_at: Time,
})
export type CollectionPage = t.Static<typeof CollectionPage>

/** A collection where it is only named: on its owner's profile. */
export const CollectionInProfile = t.Object({
  id: Id,
  name: t.String(),
  description: t.String(),
  access: BookmarkAccess,
  display_image_url: nullable(t.String()),
  display_image_orientation: nullable(Orientation),
  channels: t.Array(t.Object({ id: Id, name: t.String() })),
})
export type CollectionInProfile = t.Static<typeof CollectionInProfile>

/** A channel on a page of its own. */
export const ChannelPage = t.Object({
  ...Channel.properties,
  ...containerPageFields,
  collection: t.Object({ id: Id, name: t.String(), access: BookmarkAccess }),
  user: UserSummary,
  is_owner: t.Boolean(),
  created_at: Time,
})
export type ChannelPage = t.Static<typeof ChannelPage>

/** Smaller ones come first; equal ones as they were made. */
const Position = t.Integer({ minimum: 0, maximum: 1_000_000 })

/** Everything by its id, in the order wanted; what is not named follows as it was. */
const Order = t.Object(
  { ids: t.Array(Id, { minItems: 1, maxItems: limits.collectionsMax }) },
  { additionalProperties: false },
)

/** A bookmark in the place, whose picture stands for it; null: the newest one's. */
const CoverBookmarkId = t.Optional(nullable(Id))

/** What became of the bookmarks of a place that is no longer there. */
export const DeletionResult = t.Object({
  moved: t.Integer(),
  /** Now in the trash: as asked for, or because the video was in that place already. */
  trashed: t.Integer(),
})
export type DeletionResult = t.Static<typeof DeletionResult>

const deletionQuery = {
  /** With `bookmarks=move`: where to. A channel, or a collection without one. */
  to_collection: t.Optional(Id),
  to_channel: t.Optional(Id),
}

export const listCollections = endpoint({
  method: 'GET',
  path: '/collections/',
  summary: "The signed-in user's own collections with their channels, or with `user` that user's public ones",
  group: 'collections',
  auth: 'viewer',
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
  errors: ['invalid', 'unauthenticated', 'invalid-page'],
})

export const listChannels = endpoint({
  method: 'GET',
  path: '/collections/:id/channels/',
  summary: 'The channels of a collection',
  group: 'collections',
  auth: 'viewer',
  params: IdParams,
  query: PageQuery,
  status: 200,
  reply: pageOf(Channel),
  errors: ['invalid', 'not-found', 'invalid-page'],
})

export const createCollection = endpoint({
  method: 'POST',
  path: '/collections/',
  summary: 'Make a collection, after all others of yours',
  group: 'collections',
  auth: 'user',
  body: t.Object(
    {
      name: text(limits.nameMax),
      description: t.Optional(optionalText(limits.descriptionMax)),
      access: t.Optional(BookmarkAccess),
    },
    { additionalProperties: false },
  ),
  status: 201,
  reply: CollectionPage,
  errors: ['invalid', 'limit-reached', 'idempotency-key-in-use', 'idempotency-key-reused', 'rate-limited'],
  idempotent: true,
})

export const getCollection = endpoint({
  method: 'GET',
  path: '/collections/:id/',
  summary: 'A collection with its channels and owner; its bookmarks are `GET /videos/?collection=`',
  group: 'collections',
  auth: 'viewer',
  params: IdParams,
  status: 200,
  reply: CollectionPage,
  errors: ['not-found'],
})

export const updateCollection = endpoint({
  method: 'PATCH',
  path: '/collections/:id/',
  summary: 'Change a collection of yours; made private, it hides all that is in it',
  group: 'collections',
  auth: 'user',
  params: IdParams,
  body: t.Object(
    {
      name: t.Optional(text(limits.nameMax)),
      description: t.Optional(optionalText(limits.descriptionMax)),
      access: t.Optional(BookmarkAccess),
      position: t.Optional(Position),
      cover_bookmark_id: CoverBookmarkId,
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: CollectionPage,
  errors: ['invalid', 'forbidden', 'not-found'],
})

export const deleteCollection = endpoint({
  method: 'DELETE',
  path: '/collections/:id/',
  summary: 'Remove a collection of yours; with bookmarks in it only once it is said what becomes of them',
  group: 'collections',
  auth: 'user',
  params: IdParams,
  query: t.Object(
    {
      /** `delete`: into the trash. Without a choice a collection that has bookmarks answers 409. */
      bookmarks: t.Optional(t.Enum(['move', 'delete'])),
      ...deletionQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: DeletionResult,
  /** not-empty comes with `bookmarks_count`. */
  errors: ['invalid', 'forbidden', 'not-found', 'not-empty', 'last-collection'],
})

export const reorderCollections = endpoint({
  method: 'POST',
  path: '/collections/order/',
  summary: 'Put your collections in an order',
  group: 'collections',
  auth: 'user',
  body: Order,
  status: 204,
  reply: t.Null(),
  errors: ['invalid'],
})

export const createChannel = endpoint({
  method: 'POST',
  path: '/collections/:id/channels/',
  summary: 'Make a channel in a collection of yours, after all others of it',
  group: 'collections',
  auth: 'user',
  params: IdParams,
  body: t.Object(
    {
      name: text(limits.nameMax),
      description: t.Optional(optionalText(limits.descriptionMax)),
    },
    { additionalProperties: false },
  ),
  status: 201,
  reply: ChannelPage,
  errors: [
    'invalid',
    'forbidden',
    'not-found',
    'limit-reached',
    'idempotency-key-in-use',
    'idempotency-key-reused',
    'rate-limited',
  ],
  idempotent: true,
})

export const reorderChannels = endpoint({
  method: 'POST',
  path: '/collections/:id/channels/order/',
  summary: 'Put the channels of a collection of yours in an order',
  group: 'collections',
  auth: 'user',
  params: IdParams,
  body: Order,
  status: 204,
  reply: t.Null(),
  errors: ['invalid', 'forbidden', 'not-found'],
})

export const getChannel = endpoint({
  method: 'GET',
  path: '/channels/:id/',
  summary: 'A channel with its collection and owner; its bookmarks are `GET /videos/?channel=`',
  group: 'collections',
  auth: 'viewer',
  params: IdParams,
  status: 200,
  reply: ChannelPage,
  errors: ['not-found'],
})

export const updateChannel = endpoint({
  method: 'PATCH',
  path: '/channels/:id/',
  summary: 'Change a channel of yours',
  group: 'collections',
  auth: 'user',
  params: IdParams,
  body: t.Object(
    {
      name: t.Optional(text(limits.nameMax)),
      description: t.Optional(optionalText(limits.descriptionMax)),
      position: t.Optional(Position),
      cover_bookmark_id: CoverBookmarkId,
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: ChannelPage,
  errors: ['invalid', 'forbidden', 'not-found'],
})

export const deleteChannel = endpoint({
  method: 'DELETE',
  path: '/channels/:id/',
  summary: 'Remove a channel of yours; with bookmarks in it only once it is said what becomes of them',
  group: 'collections',
  auth: 'user',
  params: IdParams,
  query: t.Object(
    {
      /** `stay`: in the collection, without a channel. `delete`: into the trash. */
      bookmarks: t.Optional(t.Enum(['stay', 'move', 'delete'])),
      ...deletionQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: DeletionResult,
  errors: ['invalid', 'forbidden', 'not-found', 'not-empty'],
})
