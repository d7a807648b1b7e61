/** Copying other users' bookmarks into own collections, finding own bookmarks by link, and Watch Later. */
import * as t from 'typebox'
import { Bookmark } from './bookmarks.ts'
import { endpoint } from './protocol/endpoint.ts'
import { BookmarkAccess, Id, IdParams, nullable, Time } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'

/** Destination. Without a collection the error is `invalid` with 'A collection is required.' */
const destinationFields = { collection: t.Optional(nullable(Id)), channel: t.Optional(nullable(Id)) }

export const collectBookmark = endpoint({
  method: 'POST',
  path: '/bookmarks/collect/',
  summary: "Copy a bookmark's video, title, description and tags into your collection",
  group: 'collecting',
  auth: 'user',
  body: t.Object(
    /** `access` is that of the copy. Default: your default access, or private for a bookmark that is not public. */
    { bookmark: Id, ...destinationFields, access: t.Optional(BookmarkAccess) },
    { additionalProperties: false },
  ),
  status: 201,
  reply: Bookmark,
  /** already-saved comes with `bookmark_id`. */
  errors: ['invalid', 'already-saved', 'idempotency-key-in-use', 'idempotency-key-reused', 'rate-limited'],
  idempotent: true,
})

/** `refused` counts bookmarks that a content rule refused. */
const CollectResult = t.Object({
  added: t.Integer(),
  duplicates: t.Integer(),
  refused: t.Optional(t.Integer()),
})

const collectAllBase = {
  method: 'POST',
  group: 'collecting',
  auth: 'user',
  params: IdParams,
  /** `access` as for `collectBookmark`; copies of bookmarks that are not public are always private. */
  body: t.Object(
    { ...destinationFields, access: t.Optional(BookmarkAccess) },
    { additionalProperties: false },
  ),
  status: 200,
  reply: CollectResult,
  /** collection-too-large: the source has more than `limits.collectAllMax` bookmarks. */
  errors: [
    'invalid',
    'not-found',
    'collection-too-large',
    'idempotency-key-in-use',
    'idempotency-key-reused',
    'rate-limited',
  ],
  idempotent: true,
} as const

export const collectCollection = endpoint({
  ...collectAllBase,
  path: '/collections/:id/collect/',
  summary: 'Copy every bookmark you may see in a collection into your collection',
})

export const collectChannel = endpoint({
  ...collectAllBase,
  path: '/channels/:id/collect/',
  summary: 'Copy every bookmark you may see in a channel into your collection',
})

export const findOwnBookmarksByUrl = endpoint({
  method: 'GET',
  path: '/bookmarks/saved/',
  summary: 'Find your bookmarks of the video that a link leads to, and whether others saved it publicly',
  group: 'collecting',
  auth: 'user',
  query: t.Object(
    {
      /** Any link that leads to the video, not only the canonical URL. */
      url: t.String({ minLength: 1, maxLength: limits.urlMax }),
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: t.Object({
    bookmarks: t.Array(
      t.Object({
        id: Id,
        video_id: Id,
        title: t.String(),
        access: BookmarkAccess,
        is_public: t.Boolean(),
        created_at: Time,
        collection: t.Object({ id: Id, name: t.String(), access: BookmarkAccess }),
        channel: nullable(t.Object({ id: Id, name: t.String() })),
      }),
    ),
    /**
     * How many other users saved the video publicly, and one of their bookmarks. Null: the viewer may see no other user's
     * bookmark of it.
     */
    others: t.Union([t.Object({ saves_count: t.Integer(), bookmark_id: Id }), t.Null()]),
  }),
  errors: ['invalid'],
})

export const toggleWatchLater = endpoint({
  method: 'POST',
  path: '/videos/:id/watch-later/',
  summary: "Add a video to your private collection 'Watch Later', or remove it",
  group: 'collecting',
  auth: 'user',
  params: IdParams,
  status: 200,
  reply: t.Object({
    is_in_watch_later: t.Boolean(),
    collection_id: Id,
    /** The bookmark in Watch Later; null: the video was removed. */
    bookmark_id: nullable(Id),
  }),
  errors: ['not-found', 'idempotency-key-in-use', 'idempotency-key-reused', 'rate-limited'],
  idempotent: true,
})
