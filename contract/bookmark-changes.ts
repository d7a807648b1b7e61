/** What people do with bookmarks of their own: change, trash and restore them, one or many at once. */
import * as t from 'typebox'
import { Bookmark, optionalFacts } from './bookmarks.ts'
import { ListingItem } from './listing.ts'
import { endpoint } from './protocol/endpoint.ts'
import { BookmarkAccess, Id, IdParams, nullable, TagNames, Time } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { PageQuery, pageOf } from './protocol/paging.ts'
import { metadataFields } from './video-facts.ts'

/** With `channel_id` it goes to that channel; with `collection_id` alone, or `channel_id` null, to no channel. */
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
      ...t.Partial(t.Object(metadataFields)).properties,
      /** Null or blank: what the server determined. */
      ...optionalFacts,
      access: t.Optional(BookmarkAccess),
      ...destinationFields,
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: Bookmark,
  /** already-saved, with `bookmark_id`: the video is in that place. */
  errors: ['invalid', 'forbidden', 'not-found', 'already-saved'],
})

export const trashBookmark = endpoint({
  method: 'DELETE',
  path: '/bookmarks/:id/',
  summary: 'Put a bookmark of yours in the trash, from where it goes for good after 30 days',
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
  summary: 'Take a bookmark of yours out of the trash, back to where it was',
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
  /** Until it goes for good; 0: at the next night. */
  days_left: t.Integer(),
})
export type TrashItem = t.Static<typeof TrashItem>

export const listTrash = endpoint({
  method: 'GET',
  path: '/bookmarks/trash/',
  summary: 'What you put in the trash, the latest first',
  group: 'bookmarks',
  auth: 'user',
  query: PageQuery,
  status: 200,
  reply: pageOf(TrashItem),
  errors: ['invalid', 'invalid-page'],
})

export const emptyTrash = endpoint({
  method: 'DELETE',
  path: '/bookmarks/trash/',
  summary: 'Empty your trash for good, without waiting for the 30 days',
  group: 'bookmarks',
  auth: 'user',
  status: 200,
  reply: t.Object({
    removed: t.Integer(),
    /** What one call was too short for: call again. What is deleted meanwhile stays and is not counted. */
    remaining: t.Integer(),
  }),
  errors: ['rate-limited'],
})

/** `remove`: for good, what is in the trash. */
export const bulkActions = ['move', 'tag', 'untag', 'access', 'trash', 'restore', 'remove'] as const

/** Where a bookmark was, and who saw it. */
const PreviousState = t.Object(
  { id: Id, collection_id: Id, channel_id: nullable(Id), access: BookmarkAccess },
  { additionalProperties: false },
)
export type PreviousState = t.Static<typeof PreviousState>

const BulkResult = t.Object({
  /** What is now as asked for, and was not before. */
  changed: t.Integer(),
  unchanged: t.Integer(),
  failed: t.Array(
    t.Object({
      id: Id,
      /** not-found: none of yours, or (not) in the trash. already-saved: `bookmark_id` has the video there. */
      reason: t.Enum(['not-found', 'already-saved', 'too-many-tags']),
      bookmark_id: nullable(Id),
    }),
  ),
  /** Of what was changed by move or access: what `putBackBookmarks` takes. */
  before: t.Array(PreviousState),
})
export type BulkResult = t.Static<typeof BulkResult>

export const bulkUpdateBookmarks = endpoint({
  method: 'POST',
  path: '/bookmarks/bulk/',
  summary: 'Do one thing with many bookmarks of yours, as one',
  group: 'bookmarks',
  auth: 'user',
  body: t.Object(
    {
      ids: t.Array(Id, { minItems: 1, maxItems: limits.bulkMax }),
      action: t.Enum(bulkActions),
      /** For move. */
      ...destinationFields,
      /** For tag and untag. */
      tags: t.Optional(TagNames),
      /** For access. */
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
  summary: 'Put many bookmarks of yours back where they were, seen by whom they were seen, as one',
  group: 'bookmarks',
  auth: 'user',
  body: t.Object(
    { bookmarks: t.Array(PreviousState, { minItems: 1, maxItems: limits.bulkMax }) },
    { additionalProperties: false },
  ),
  status: 200,
  /** not-found: also where the place is not there any more. */
  reply: BulkResult,
  errors: ['invalid', 'rate-limited'],
})
