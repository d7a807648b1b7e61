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
import { NameSearchQuery, PageQuery, pageOf, pageQuery } from './protocol/paging.ts'

/** A picture of a cover. */
export const CoverImage = t.Object({ url: nullable(t.String()), orientation: Orientation })
export type CoverImage = t.Static<typeof CoverImage>

/** The cover as pictures: the one that the owner chose, otherwise the newest, at most four. */
const coverImages = t.Array(CoverImage)

export const Channel = t.Object({
  id: Id,
  name: t.String(),
  description: t.String(),
  /** In camelCase because existing clients expect it (docs/behaviour.md, API). */
  imageUrl: nullable(t.String()),
  /** Orientation of the cover's video. Adult covers are concealed until the visitor confirms their age. */
  image_orientation: nullable(Orientation),
  cover_images: coverImages,
  /** Bookmarks that the viewer may see. */
  bookmarks_count: t.Integer(),
})
export type Channel = t.Static<typeof Channel>

/** In what order a collection or channel is shown and played unless the request names another one. */
export const listOrders = ['manual', 'newest', 'oldest', 'title'] as const
export const ListOrder = t.Enum(listOrders)
export type ListOrder = t.Static<typeof ListOrder>

/** Fields of a collection wherever it is shown. */
const collectionFields = {
  id: Id,
  name: t.String(),
  description: t.String(),
  access: BookmarkAccess,
  display_image_url: nullable(t.String()),
  /** Orientation of the cover's video, like `image_orientation` of a channel. */
  display_image_orientation: nullable(Orientation),
}

export const Collection = t.Object({
  ...collectionFields,
  cover_images: coverImages,
  bookmarks_count: t.Integer(),
  channels: t.Array(Channel),
  /** Present and true for the collection that holds Watch Later; only its owner sees the field. */
  is_watch_later: t.Optional(t.Boolean()),
})
export type Collection = t.Static<typeof Collection>

/** Fields that collection and channel pages have in addition to list entries. */
const containerPageFields = {
  list_order: ListOrder,
  /** Picture for link previews: from a visible bookmark that is not adult content. */
  share_image_url: nullable(t.String()),
  /** Whether the viewer follows it. */
  is_followed: t.Boolean(),
  /** Up to 10,000. 0 if the owner hides their followers from the viewer. */
  followers_count: t.Integer(),
  /**
   * Seconds of the videos of known duration, of those that `bookmarks_count` counts; null with more than
   * `limits.summedDurationsMax` bookmarks.
   */
  total_duration: nullable(t.Integer()),
  /** When the newest bookmark was added that the viewer may see, otherwise when it was created. */
  updated_at: Time,
  /** The bookmark that the owner chose as cover; null: the newest one. Only the owner gets it. */
  cover_bookmark_id: nullable(Id),
}

/** A collection as its own page shows it. */
export const CollectionPage = t.Object({
  ...Collection.properties,
  ...containerPageFields,
  user: UserSummary,
  is_owner: t.Boolean(),
  created_at: Time,
})
export type CollectionPage = t.Static<typeof CollectionPage>

/** A collection as its owner's profile lists it. */
export const CollectionInProfile = t.Object({
  ...collectionFields,
  channels: t.Array(t.Object({ id: Id, name: t.String() })),
})
export type CollectionInProfile = t.Static<typeof CollectionInProfile>

/** A collection as a search shows it. */
export const FoundCollection = t.Object({
  ...collectionFields,
  /** Bookmarks that the viewer may see. From 200 on, the number of another user's collection may be an hour old. */
  bookmarks_count: t.Integer(),
  user: UserSummary,
})
export type FoundCollection = t.Static<typeof FoundCollection>

/** A channel as its own page shows it. */
export const ChannelPage = t.Object({
  ...Channel.properties,
  ...containerPageFields,
  collection: t.Object({ id: Id, name: t.String(), access: BookmarkAccess }),
  user: UserSummary,
  is_owner: t.Boolean(),
  created_at: Time,
})
export type ChannelPage = t.Static<typeof ChannelPage>

/** Lists sort by ascending position, then by creation. */
const Position = t.Integer({ minimum: 0, maximum: 1_000_000 })

/** Ids in the requested order. Items that are not named follow in their previous order. */
const Order = t.Object(
  { ids: t.Array(Id, { minItems: 1, maxItems: limits.collectionsMax }) },
  { additionalProperties: false },
)

/** Bookmark in the container whose thumbnail is the cover; null: the newest. */
const CoverBookmarkId = t.Optional(nullable(Id))

/** What happened to the bookmarks of a deleted collection or channel. */
export const DeletionResult = t.Object({
  moved: t.Integer(),
  /** Now in the trash: by request, or because the destination already had the video. */
  trashed: t.Integer(),
})
export type DeletionResult = t.Static<typeof DeletionResult>

const deletionQuery = {
  /** Destination for `bookmarks=move`: a channel, or a collection without a channel. */
  to_collection: t.Optional(Id),
  to_channel: t.Optional(Id),
}

export const listCollections = endpoint({
  method: 'GET',
  path: '/collections/',
  summary: 'List your collections with their channels, or with `user` the public ones of that user',
  group: 'collections',
  auth: 'viewer',
  query: t.Object(
    {
      ...pageQuery,
      /** A username. Without it, the viewer's own collections; visitors get 401. */
      user: t.Optional(t.String({ maxLength: 150 })),
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: pageOf(Collection),
  errors: ['invalid', 'unauthenticated', 'invalid-page'],
})

export const searchCollections = endpoint({
  method: 'GET',
  path: '/collections/search/',
  summary: 'Search public collections, and your own private ones, by the words of their names',
  group: 'collections',
  auth: 'viewer',
  query: NameSearchQuery,
  status: 200,
  reply: pageOf(FoundCollection),
  errors: ['invalid', 'invalid-page'],
})

export const listChannels = endpoint({
  method: 'GET',
  path: '/collections/:id/channels/',
  summary: 'List the channels of a collection',
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
  summary: 'Create a collection after your other collections',
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
  summary: 'Get a collection with its channels and owner; its bookmarks are `GET /videos/?collection=`',
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
  summary: 'Change your collection; making it private hides everything in it',
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
      list_order: t.Optional(ListOrder),
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
  summary: 'Delete your collection; if it has bookmarks, `bookmarks` must say what happens to them',
  group: 'collections',
  auth: 'user',
  params: IdParams,
  query: t.Object(
    {
      /** `delete` moves them to the trash. Omitted for a collection with bookmarks: error `not-empty`. */
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
  summary: 'Reorder your collections',
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
  summary: 'Create a channel after the other channels of your collection',
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
  summary: 'Reorder the channels of your collection',
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
  summary: 'Get a channel with its collection and owner; its bookmarks are `GET /videos/?channel=`',
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
  summary: 'Change your channel',
  group: 'collections',
  auth: 'user',
  params: IdParams,
  body: t.Object(
    {
      name: t.Optional(text(limits.nameMax)),
      description: t.Optional(optionalText(limits.descriptionMax)),
      position: t.Optional(Position),
      cover_bookmark_id: CoverBookmarkId,
      list_order: t.Optional(ListOrder),
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
  summary: 'Delete your channel; if it has bookmarks, `bookmarks` must say what happens to them',
  group: 'collections',
  auth: 'user',
  params: IdParams,
  query: t.Object(
    {
      /** `stay` leaves them in the collection without a channel. `delete` moves them to the trash. */
      bookmarks: t.Optional(t.Enum(['stay', 'move', 'delete'])),
      ...deletionQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: DeletionResult,
  errors: ['invalid', 'forbidden', 'not-found', 'not-empty'],
})
