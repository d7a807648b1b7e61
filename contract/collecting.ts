/** Taking what others keep into collections of one's own; what of one's own is kept where, and what was watched. */
import * as t from 'typebox'
import { Bookmark } from './bookmarks.ts'
import { endpoint } from './endpoint.ts'
import { BookmarkAccess, Id, IdParams, nullable, Time } from './fields.ts'
import { limits } from './limits.ts'

/** The place; without a collection: 400 'A collection is required.' */
const into = { collection: t.Optional(nullable(Id)), channel: t.Optional(nullable(Id)) }

export const collectBookmark = endpoint({
  method: 'POST',
  path: '/bookmarks/collect/',
  summary: "Copy a bookmark's video, title, description and tags into a collection of yours",
  tag: 'collecting',
  access: 'user',
  body: t.Object({ bookmark: Id, ...into }, { additionalProperties: false }),
  status: 201,
  reply: Bookmark,
  /** already-saved comes with `bookmark_id`. */
  errors: ['invalid', 'already-saved', 'key-in-use', 'key-reused', 'too-many'],
  idempotent: true,
})

/** `refused`: left out by a rule of the site. */
const Collected = t.Object({
  added: t.Integer(),
  already_there: t.Integer(),
  refused: t.Optional(t.Integer()),
})

const collectingAll = {
  method: 'POST',
  tag: 'collecting',
  access: 'user',
  params: IdParams,
  body: t.Object(into, { additionalProperties: false }),
  status: 200,
  reply: Collected,
  /** too-many-to-collect: more than limits.collectAllMax. */
  errors: ['invalid', 'not-found', 'too-many-to-collect', 'key-in-use', 'key-reused', 'too-many'],
  idempotent: true,
} as const

export const collectCollection = endpoint({
  ...collectingAll,
  path: '/collections/:id/collect/',
  summary: 'Copy everything you may see in a collection into one of yours',
})

export const collectChannel = endpoint({
  ...collectingAll,
  path: '/channels/:id/collect/',
  summary: 'Copy everything you may see in a channel into a collection of yours',
})

export const findSaved = endpoint({
  method: 'GET',
  path: '/bookmarks/saved/',
  summary: 'Where you keep the video of a link already',
  tag: 'collecting',
  access: 'user',
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
  tag: 'collecting',
  access: 'user',
  params: IdParams,
  status: 200,
  reply: t.Object({
    is_in_watch_later: t.Boolean(),
    collection_id: Id,
    /** Of the bookmark there; null once it is out. */
    bookmark_id: nullable(Id),
  }),
  errors: ['not-found', 'key-in-use', 'key-reused', 'too-many'],
  idempotent: true,
})

const watching = {
  path: '/videos/:id/watched/',
  tag: 'collecting',
  access: 'user',
  params: IdParams,
  status: 200,
  reply: t.Object({ is_watched: t.Boolean() }),
  errors: ['not-found'],
} as const

export const markWatched = endpoint({ ...watching, method: 'POST', summary: 'Mark a video as watched' })

export const unmarkWatched = endpoint({ ...watching, method: 'DELETE', summary: 'Mark it as not watched' })

export const clearWatched = endpoint({
  method: 'DELETE',
  path: '/watched/',
  summary: 'Forget everything that you marked as watched',
  tag: 'collecting',
  access: 'user',
  status: 200,
  reply: t.Object({ cleared: t.Integer() }),
  errors: ['too-many'],
})
