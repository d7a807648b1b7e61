/** Changes to the viewer's own bookmarks: edit, trash and restore, one at a time or in bulk. */
import * as t from 'typebox'
import { Bookmark, optionalFacts } from './bookmarks.ts'
import { ListingItem, ListingPage, listingFields } from './listing.ts'
import { endpoint } from './protocol/endpoint.ts'
import {
  BookmarkAccess,
  Id,
  IdParams,
  nullable,
  optionalFields,
  optionalText,
  TagNames,
  Time,
} from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { metadataFields, StartSeconds } from './video-facts.ts'

/** `channel_id` moves to that channel. `collection_id` alone, or with a null `channel_id`, moves out of any channel. */
const destinationFields = { collection_id: t.Optional(Id), channel_id: t.Optional(nullable(Id)) }

export const updateBookmark = endpoint({
  method: 'PATCH',
  path: '/bookmarks/:id/',
  summary: 'Change a bookmark of yours: title, description, tags, facts, access, destination',
  group: 'bookmarks',
  auth: 'user',
  params: IdParams,
  body: t.Object(
    {
      ...optionalFields(metadataFields),
      /** Null or blank: what the server determined. */
      ...optionalFacts,
      access: t.Optional(BookmarkAccess),
      /** Null or 0: the video starts at the beginning. */
      start_seconds: t.Optional(nullable(StartSeconds)),
      /** Only you read it. */
      private_note: t.Optional(optionalText(limits.privateNoteMax)),
      ...destinationFields,
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: Bookmark,
  /** already-saved comes with `bookmark_id`, the bookmark that already has the video in that destination. */
  errors: ['invalid', 'forbidden', 'not-found', 'already-saved'],
})

/** The picture belongs to this bookmark only. `thumbnail_url: null` in a change of the bookmark removes it again. */
export const uploadThumbnail = endpoint({
  method: 'POST',
  path: '/bookmarks/:id/thumbnail/',
  summary: 'Replace the thumbnail of a bookmark of yours by a file',
  group: 'bookmarks',
  auth: 'user',
  params: IdParams,
  body: t.Object({}, { additionalProperties: false }),
  /** JPEG, PNG, WebP or GIF. */
  picture: 'thumbnail',
  status: 200,
  reply: Bookmark,
  errors: ['invalid', 'forbidden', 'not-found', 'too-large', 'rate-limited'],
})

export const trashBookmark = endpoint({
  method: 'DELETE',
  path: '/bookmarks/:id/',
  summary: 'Move your bookmark to the trash; it is deleted permanently after 30 days',
  group: 'bookmarks',
  auth: 'user',
  params: IdParams,
  status: 204,
  reply: t.Null(),
  errors: ['forbidden', 'not-found'],
})

export const restoreBookmark = endpoint({
  method: 'POST',
  path: '/bookmarks/:id/restore/',
  summary: 'Restore your bookmark from the trash to where it was',
  group: 'bookmarks',
  auth: 'user',
  params: IdParams,
  status: 200,
  reply: Bookmark,
  errors: ['not-found', 'already-saved'],
})

export const TrashItem = t.Object({
  ...ListingItem.properties,
  collection: t.Object({ id: Id, name: t.String() }),
  channel: nullable(t.Object({ id: Id, name: t.String() })),
  deleted_at: Time,
  /** Days until the bookmark is deleted permanently; 0: the coming night. */
  days_left: t.Integer(),
})
export type TrashItem = t.Static<typeof TrashItem>

export const listTrash = endpoint({
  method: 'GET',
  path: '/bookmarks/trash/',
  summary: 'List your trash, latest first',
  group: 'bookmarks',
  auth: 'user',
  /** The filters of lists; words are also searched in private notes. `newest` is the latest deleted first. */
  query: t.Object(listingFields, { additionalProperties: false }),
  status: 200,
  reply: t.Object({ ...ListingPage.properties, results: t.Array(TrashItem) }),
  errors: ['invalid', 'invalid-page'],
})

export const emptyTrash = endpoint({
  method: 'DELETE',
  path: '/bookmarks/trash/',
  summary: 'Empty your trash permanently without waiting for 30 days',
  group: 'bookmarks',
  auth: 'user',
  status: 200,
  reply: t.Object({
    removed: t.Integer(),
    /**
     * Bookmarks left over because one request deletes a limited number; repeat the request until it is 0. Bookmarks
     * trashed in the meantime are neither deleted nor counted.
     */
    remaining: t.Integer(),
  }),
  errors: ['rate-limited'],
})

/** `remove` permanently deletes bookmarks that are in the trash. */
export const bulkActions = ['move', 'tag', 'untag', 'access', 'trash', 'restore', 'remove'] as const

/** Location and access of a bookmark before a bulk change. */
const PreviousState = t.Object(
  { id: Id, collection_id: Id, channel_id: nullable(Id), access: BookmarkAccess },
  { additionalProperties: false },
)
export type PreviousState = t.Static<typeof PreviousState>

const BulkResult = t.Object({
  /** Bookmarks that were not yet in the requested state. */
  changed: t.Integer(),
  unchanged: t.Integer(),
  failed: t.Array(
    t.Object({
      id: Id,
      /**
       * not-found: not the viewer's bookmark, or its trash state does not allow the action. already-saved:
       * `bookmark_id` already has the video in the destination.
       */
      reason: t.Enum(['not-found', 'already-saved', 'too-many-tags']),
      bookmark_id: nullable(Id),
    }),
  ),
  /** For move and access: the previous state of the changed bookmarks, as `undoBookmarkChanges` takes it. */
  before: t.Array(PreviousState),
})
export type BulkResult = t.Static<typeof BulkResult>

export const bulkUpdateBookmarks = endpoint({
  method: 'POST',
  path: '/bookmarks/bulk/',
  summary: 'Apply one action to many of your bookmarks in one transaction',
  group: 'bookmarks',
  auth: 'user',
  body: t.Object(
    {
      ids: t.Array(Id, { minItems: 1, maxItems: limits.bulkMax }),
      action: t.Enum(bulkActions),
      /** For the action `move`. */
      ...destinationFields,
      /** For the actions `tag` and `untag`. */
      tags: t.Optional(TagNames),
      /** For the action `access`. */
      access: t.Optional(BookmarkAccess),
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: BulkResult,
  errors: ['invalid', 'rate-limited'],
})

export const undoBookmarkChanges = endpoint({
  method: 'POST',
  path: '/bookmarks/bulk/undo/',
  summary: 'Undo a bulk move or access change of your bookmarks in one transaction',
  group: 'bookmarks',
  auth: 'user',
  body: t.Object(
    { bookmarks: t.Array(PreviousState, { minItems: 1, maxItems: limits.bulkMax }) },
    { additionalProperties: false },
  ),
  status: 200,
  /** A bookmark fails with `not-found` also if its collection or channel no longer exists. */
  reply: BulkResult,
  errors: ['invalid', 'rate-limited'],
})
