/** Notes at a time in the video of a bookmark (docs/behaviour.md, Pages and players). */
import * as t from 'typebox'
import { PublicNote } from './bookmarks.ts'
import { endpoint } from './protocol/endpoint.ts'
import { BookmarkAccess, IdParams, text } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'

export const TimedNote = t.Object({ ...PublicNote.properties, access: BookmarkAccess })
export type TimedNote = t.Static<typeof TimedNote>

const Seconds = t.Integer({ minimum: 0, maximum: limits.durationMax })

export const listOwnNotes = endpoint({
  method: 'GET',
  path: '/bookmarks/:id/notes/',
  summary: 'List your notes on a bookmark, in the order of the video',
  group: 'bookmarks',
  auth: 'user',
  params: IdParams,
  status: 200,
  /** At most `limits.timedNotesMax`. */
  reply: t.Object({ notes: t.Array(TimedNote) }),
  errors: ['not-found'],
})

export const createNote = endpoint({
  method: 'POST',
  path: '/bookmarks/:id/notes/',
  summary: 'Add a note at a time in the video: a private one, or on your own bookmark a public one',
  group: 'bookmarks',
  auth: 'user',
  params: IdParams,
  body: t.Object(
    { seconds: Seconds, text: text(limits.timedNoteMax), access: BookmarkAccess },
    { additionalProperties: false },
  ),
  status: 201,
  reply: TimedNote,
  idempotent: true,
  errors: [
    'invalid',
    'unauthenticated',
    'not-found',
    'idempotency-key-in-use',
    'idempotency-key-reused',
    'rate-limited',
  ],
})

export const updateNote = endpoint({
  method: 'PATCH',
  path: '/notes/:id/',
  summary: 'Change one of your notes',
  group: 'bookmarks',
  auth: 'user',
  params: IdParams,
  body: t.Object(
    {
      seconds: t.Optional(Seconds),
      text: t.Optional(text(limits.timedNoteMax)),
      access: t.Optional(BookmarkAccess),
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: TimedNote,
  errors: ['invalid', 'unauthenticated', 'not-found', 'rate-limited'],
})

export const deleteNote = endpoint({
  method: 'DELETE',
  path: '/notes/:id/',
  summary: 'Delete one of your notes',
  group: 'bookmarks',
  auth: 'user',
  params: IdParams,
  status: 204,
  reply: t.Null(),
  errors: ['unauthenticated', 'not-found', 'rate-limited'],
})
