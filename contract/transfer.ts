/** Taking everything away as one JSON file, and bringing such a file in again (issue: nobody is locked in here). */
import * as t from 'typebox'
import { MailFrequency } from './profiles.ts'
import { endpoint } from './protocol/endpoint.ts'
import {
  BookmarkAccess,
  Id,
  IdParams,
  nullable,
  Orientation,
  optionalText,
  Shape,
  TagNames,
  Time,
  text,
} from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { PageQuery, pageOf } from './protocol/paging.ts'

const noExtraProperties = { additionalProperties: false } as const

const StoredUrl = t.String({ format: 'http-url', maxLength: limits.storedUrlMax })

/** A place by name: collections and channels of one owner are told apart by where they stand in the file. */
const TransferChannel = t.Object(
  { name: text(limits.nameMax), description: optionalText(limits.descriptionMax) },
  noExtraProperties,
)

const TransferCollection = t.Object(
  {
    name: text(limits.nameMax),
    description: optionalText(limits.descriptionMax),
    access: BookmarkAccess,
    created_at: Time,
    /** The one that 'Watch Later' fills. */
    is_watch_later: t.Optional(t.Boolean()),
    channels: t.Array(TransferChannel, { maxItems: 10_000 }),
  },
  noExtraProperties,
)

const TransferVideo = t.Object(
  {
    source_url: StoredUrl,
    title: text(limits.titleMax),
    description: optionalText(limits.descriptionMax),
    tags: TagNames,
    embed_url: nullable(StoredUrl),
    thumbnail_url: nullable(StoredUrl),
    orientation: Orientation,
    shape: Shape,
    duration: nullable(t.Integer({ minimum: 0, maximum: limits.durationMax })),
    width: nullable(t.Integer({ minimum: 1, maximum: 100_000 })),
    height: nullable(t.Integer({ minimum: 1, maximum: 100_000 })),
  },
  noExtraProperties,
)

const TransferBookmark = t.Object(
  {
    /** Which of the file's collections, and which of its channels, counted from 0; null: in no channel. */
    collection: t.Integer({ minimum: 0, maximum: 100_000 }),
    channel: nullable(t.Integer({ minimum: 0, maximum: 10_000 })),
    title: optionalText(limits.titleMax),
    description: optionalText(limits.descriptionMax),
    tags: TagNames,
    access: BookmarkAccess,
    created_at: Time,
    video: TransferVideo,
  },
  noExtraProperties,
)

const TransferComment = t.Object(
  {
    /** Blank: the video is no longer there to see. */
    source_url: t.String({ maxLength: limits.storedUrlMax }),
    content: t.String({ maxLength: limits.commentMax }),
    is_reply: t.Boolean(),
    created_at: Time,
    updated_at: Time,
  },
  noExtraProperties,
)

const username = t.String({ maxLength: limits.usernameMax })

/**
 * The file. What is optional came later: older files are without it. Comments are in it to be kept, and are not brought in again: they stand where they were said, in a
 * conversation of others.
 */
export const TransferFile = t.Object(
  {
    format: t.Enum(['reelmark']),
    version: t.Integer({ minimum: 1, maximum: 1 }),
    exported_at: Time,
    username,
    profile: t.Object(
      {
        bio: optionalText(limits.bioMax),
        default_bookmark_orientation: Orientation,
        /** Which of the collections, counted from 0. */
        default_bookmark_collection: nullable(t.Integer({ minimum: 0, maximum: 100_000 })),
        notify_on_follow: t.Boolean(),
        notify_on_own_video_bookmarked: t.Boolean(),
        notify_on_new_bookmark_from_followed_user: t.Boolean(),
        notify_on_own_video_liked: t.Boolean(),
        notify_by_email: t.Optional(MailFrequency),
      },
      noExtraProperties,
    ),
    collections: t.Array(TransferCollection, { maxItems: 100_000 }),
    bookmarks: t.Array(TransferBookmark, { maxItems: 1_000_000 }),
    /** Videos by their link. */
    likes: t.Array(t.Object({ source_url: StoredUrl, created_at: Time }, noExtraProperties), {
      maxItems: 1_000_000,
    }),
    /** People by their name. */
    following: t.Array(t.Object({ username, followed_at: Time }, noExtraProperties), {
      maxItems: 1_000_000,
    }),
    comments: t.Array(TransferComment, { maxItems: 1_000_000 }),
    /** Videos by their link. */
    watched: t.Optional(
      t.Array(t.Object({ source_url: StoredUrl, watched_at: Time }, noExtraProperties), {
        maxItems: 1_000_000,
      }),
    ),
    /** People by their name. */
    blocked: t.Optional(
      t.Array(t.Object({ username, blocked_at: Time }, noExtraProperties), { maxItems: 1_000_000 }),
    ),
    muted_people: t.Optional(
      t.Array(t.Object({ username, muted_at: Time }, noExtraProperties), { maxItems: limits.mutesMax }),
    ),
    muted_tags: t.Optional(
      t.Array(t.Object({ tag: text(limits.tagMax), muted_at: Time }, noExtraProperties), {
        maxItems: limits.mutesMax,
      }),
    ),
  },
  noExtraProperties,
)
export type TransferFile = t.Static<typeof TransferFile>

const state = t.Enum(['waiting', 'running', 'done', 'failed'])
const progress = {
  id: Id,
  state,
  /** Rows so far, and of how many; 0 of 0 until they are counted. */
  done: t.Integer(),
  total: t.Integer(),
  created_at: Time,
  finished_at: nullable(Time),
}

export const Export = t.Object({
  ...progress,
  /** Bytes, once it is done. */
  size: nullable(t.Integer()),
  /** Until when it can be downloaded. */
  expires_at: Time,
})
export type Export = t.Static<typeof Export>

export const Import = t.Object({
  ...progress,
  /** Bookmarks, likes, follows, marks, blocks and mutes brought in; and left out, since they were here already. */
  added: t.Integer(),
  already_there: t.Integer(),
  /** What could not be brought in, */
  left_out: t.Integer(),
  /** and why: the first hundred. */
  problems: t.Array(t.Object({ what: t.String(), why: t.String() })),
})
export type Import = t.Static<typeof Import>

const own = { group: 'transfer', auth: 'user' } as const
const ownErrors = ['unauthenticated', 'invalid-token', 'insufficient-scope'] as const

export const startExport = endpoint({
  ...own,
  method: 'POST',
  path: '/transfer/exports/',
  summary: 'Begin to put everything of yours into one file, in the background',
  /** A token that may only write must not get at what is private. */
  scope: 'read',
  invalidatesCache: false,
  status: 201,
  reply: Export,
  errors: [...ownErrors, 'already-running', 'rate-limited'],
})

export const listExports = endpoint({
  ...own,
  method: 'GET',
  path: '/transfer/exports/',
  summary: 'Your exports, the newest first',
  query: PageQuery,
  status: 200,
  reply: pageOf(Export),
  errors: [...ownErrors, 'invalid-page'],
})

export const getExport = endpoint({
  ...own,
  method: 'GET',
  path: '/transfer/exports/:id/',
  summary: 'How far an export of yours is',
  params: IdParams,
  status: 200,
  reply: Export,
  errors: [...ownErrors, 'not-found'],
})

export const downloadExport = endpoint({
  ...own,
  method: 'GET',
  path: '/transfer/exports/:id/file/',
  summary: 'The file of an export that is done',
  params: IdParams,
  status: 200,
  reply: TransferFile,
  errors: [...ownErrors, 'not-found'],
})

export const startImport = endpoint({
  ...own,
  invalidatesCache: false,
  method: 'POST',
  path: '/transfer/imports/',
  summary: 'Begin to bring such a file into your account, in the background; what is there stays',
  body: TransferFile,
  status: 201,
  reply: Import,
  errors: [
    'invalid',
    'malformed-body',
    ...ownErrors,
    'too-large',
    'unsupported-type',
    'already-running',
    'rate-limited',
  ],
})

export const listImports = endpoint({
  ...own,
  method: 'GET',
  path: '/transfer/imports/',
  summary: 'Your imports, the newest first',
  query: PageQuery,
  status: 200,
  reply: pageOf(Import),
  errors: [...ownErrors, 'invalid-page'],
})

export const getImport = endpoint({
  ...own,
  method: 'GET',
  path: '/transfer/imports/:id/',
  summary: 'How far an import of yours is',
  params: IdParams,
  status: 200,
  reply: Import,
  errors: [...ownErrors, 'not-found'],
})
