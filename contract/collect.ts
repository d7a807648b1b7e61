/** Taking what others keep into collections of one's own; what of one's own is kept where, and what was watched. */
import * as t from 'typebox'
import { Bookmark } from './bookmarks.ts'
import { endpoint } from './protocol/endpoint.ts'
import { BookmarkAccess, Id, IdParams, nullable, Time } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'

/** The place; without a collection: 400 'A collection is required.' */
const destinationFields = { collection: t.Optional(nullable(Id)), channel: t.Optional(nullable(Id)) }

export const collectBookmark = endpoint({
  method: 'POST',
  path: '/bookmarks/collect/',
  summary: "Copy a bookmark's video, title, description and tags into a collection of yours",
  group: 'collecting',
  auth: 'user',
  body: t.Object({ bookmark: Id, ...destinationFields }, { additionalProperties: false }),
  status: 201,
  reply: Bookmark,
  /** already-saved comes with `bookmark_id`. */
  errors: ['invalid', 'already-saved', 'idempotency-key-in-use', 'idempotency-key-reused', 'rate-limited'],
  idempotent: true,
})

/** `refused`: left out by a rule of the site. */
const CollectResult = t.Object({
  added: t.Integer(),
  already_there: t.Integer(),
  refused: t.Optional(t.Integer()),
})

const collectAllBase = {
  method: 'POST',
  group: 'collecting',
  auth: 'user',
  params: IdParams,
  body: t.Object(destinationFields, { additionalProperties: false }),
  status: 200,
  reply: CollectResult,
  /** too-many-to-collect: more than limits.collectAllMax. */
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
  summary: 'Copy everything you may see in a collection into one of yours',
})

export const collectChannel = endpoint({
  ...collectAllBase,
  path: '/channels/:id/collect/',
  summary: 'Copy everything you may see in a channel into a collection of yours',
})

export const findOwnBookmarksByUrl = endpoint({
  method: 'GET',
  path: '/bookmarks/saved/',
  summary: 'Where you keep the video of a link already',
  group: 'collecting',
  auth: 'user',
  query: t.Object(
    {
      /** In any form that leads to the video. */
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
  }),
  errors: ['invalid'],
})

export const toggleWatchLater = endpoint({
  method: 'POST',
  path: '/videos/:id/watch-later/',
  summary: "Put a video into your private collection 'Watch Later', or take it out again",
  group: 'collecting',
  auth: 'user',
  params: IdParams,
  status: 200,
  reply: t.Object({
    is_in_watch_later: t.Boolean(),
    collection_id: Id,
    /** Of the bookmark there; null once it is out. */
    bookmark_id: nullable(Id),
  }),
  errors: ['not-found', 'idempotency-key-in-use', 'idempotency-key-reused', 'rate-limited'],
  idempotent: true,
})

const watchedBase = {
  path: '/videos/:id/watched/',
  group: 'collecting',
  auth: 'user',
  invalidatesCache: false,
  params: IdParams,
  status: 200,
  reply: t.Object({ is_watched: t.Boolean() }),
  errors: ['not-found'],
} as const

export const markWatched = endpoint({ ...watchedBase, method: 'POST', summary: 'Mark a video as watched' })

export const unmarkWatched = endpoint({ ...watchedBase, method: 'DELETE', summary: 'Mark it as not watched' })

export const clearWatched = endpoint({
  method: 'DELETE',
  path: '/watched/',
  summary: 'Forget everything that you marked as watched',
  group: 'collecting',
  auth: 'user',
  invalidatesCache: false,
  status: 200,
  reply: t.Object({ cleared: t.Integer() }),
  errors: ['rate-limited'],
})
