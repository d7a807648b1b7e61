/** Export of an account as one JSON file, or of bookmarks for other programs. imports.ts imports such a file. */
import * as t from 'typebox'
import { ListOrder } from './collections.ts'
import { privacyFields } from './privacy-settings.ts'
import { MailFrequency, settingFlags } from './profiles.ts'
import { endpoint } from './protocol/endpoint.ts'
import {
  BookmarkAccess,
  Id,
  IdParams,
  nullable,
  Orientation,
  optionalFields,
  optionalFlags,
  optionalText,
  Time,
  text,
} from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { PageQuery, pageOf } from './protocol/paging.ts'
import { SmartQuery } from './smart-collections.ts'
import { exportOnlyLists, TransferAccount } from './transfer-account.ts'
import { factFields, metadataFields, metadataTexts, StartSeconds, uploaderFields } from './video-facts.ts'

const noExtraProperties = { additionalProperties: false } as const

const StoredUrl = t.String({ format: 'http-url', maxLength: limits.storedUrlMax })

/** Bookmarks refer to collections and channels by position in the file, since names need not be unique. */
const TransferChannel = t.Object(
  {
    name: text(limits.nameMax),
    description: optionalText(limits.descriptionMax),
    list_order: t.Optional(ListOrder),
  },
  noExtraProperties,
)

const TransferCollection = t.Object(
  {
    name: text(limits.nameMax),
    description: optionalText(limits.descriptionMax),
    access: BookmarkAccess,
    created_at: Time,
    /** Whether it holds Watch Later. */
    is_watch_later: t.Optional(t.Boolean()),
    list_order: t.Optional(ListOrder),
    channels: t.Array(TransferChannel, { maxItems: 10_000 }),
  },
  noExtraProperties,
)

const TransferVideo = t.Object(
  {
    source_url: StoredUrl,
    title: metadataFields.title,
    description: metadataFields.description,
    tags: metadataFields.tags,
    ...factFields(StoredUrl),
    ...optionalFields(uploaderFields(StoredUrl)),
  },
  noExtraProperties,
)

/** As server/features/bookmarks/order/order-keys.ts generates them. The first digit leaves room for new bookmarks. */
const OrderKey = t.String({ pattern: '^M[78][0-9a-f]{13}([0-9a-f]{0,80}[1-9a-f])?$' })

const TransferBookmark = t.Object(
  {
    /** Index of the collection in the file, and of the channel in that collection, from 0. Null: no channel. */
    collection: t.Integer({ minimum: 0, maximum: 100_000 }),
    channel: nullable(t.Integer({ minimum: 0, maximum: 10_000 })),
    ...optionalFields(metadataTexts),
    description: metadataFields.description,
    tags: metadataFields.tags,
    /** Blank in files of earlier versions: the video's. */
    title: optionalText(limits.titleMax),
    access: BookmarkAccess,
    private_note: t.Optional(optionalText(limits.privateNoteMax)),
    created_at: Time,
    start_seconds: t.Optional(nullable(StartSeconds)),
    /** Where it is in the manual order of its collection and of its channel: ascending in byte order. */
    collection_order_key: t.Optional(OrderKey),
    channel_order_key: t.Optional(nullable(OrderKey)),
    /** The name of its picture in the zip file, if the export contains pictures. An import uses it if the video has no picture. */
    picture: t.Optional(nullable(text(limits.nameMax))),
    video: TransferVideo,
  },
  noExtraProperties,
)

const TransferComment = t.Object(
  {
    /** Blank: the video is no longer visible. */
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
 * The export file. Optional fields were added later and are missing in older files. Comments are exported but not
 * imported, because they belong to conversations with other users; neither are the account and the last lists.
 */
export const TransferFile = t.Object(
  {
    format: t.Enum(['reelmark']),
    version: t.Integer({ minimum: 1, maximum: 1 }),
    exported_at: Time,
    username,
    account: t.Optional(TransferAccount),
    profile: t.Object(
      {
        bio: optionalText(limits.bioMax),
        default_bookmark_orientation: Orientation,
        /** Index of the collection, from 0. */
        default_bookmark_collection: nullable(t.Integer({ minimum: 0, maximum: 100_000 })),
        ...optionalFlags(settingFlags),
        notify_on_follow: t.Boolean(),
        notify_on_own_video_bookmarked: t.Boolean(),
        notify_on_new_bookmark_from_followed_user: t.Boolean(),
        notify_on_own_video_liked: t.Boolean(),
        notify_by_email: t.Optional(MailFrequency),
        is_history_paused: t.Optional(t.Boolean()),
        ...optionalFields(privacyFields),
      },
      noExtraProperties,
    ),
    collections: t.Array(TransferCollection, { maxItems: 100_000 }),
    bookmarks: t.Array(TransferBookmark, { maxItems: 1_000_000 }),
    /** By link of the video: the user's notes on any bookmark. They are imported to the user's own bookmark of it. */
    timed_notes: t.Optional(
      t.Array(
        t.Object(
          {
            /** Blank: the video is no longer visible. */
            source_url: t.String({ maxLength: limits.storedUrlMax }),
            seconds: t.Integer({ minimum: 0, maximum: limits.durationMax }),
            text: text(limits.timedNoteMax),
            access: BookmarkAccess,
            created_at: Time,
          },
          noExtraProperties,
        ),
        { maxItems: 1_000_000 },
      ),
    ),
    /** By link of the video. */
    likes: t.Array(t.Object({ source_url: StoredUrl, created_at: Time }, noExtraProperties), {
      maxItems: 1_000_000,
    }),
    /** By username. */
    following: t.Array(t.Object({ username, followed_at: Time }, noExtraProperties), {
      maxItems: 1_000_000,
    }),
    /** Collections and channels of other users, by owner and names. An import takes the oldest one with these names. */
    followed_collections: t.Optional(
      t.Array(
        t.Object(
          {
            username,
            collection: text(limits.nameMax),
            /** Null: the whole collection is followed. */
            channel: nullable(text(limits.nameMax)),
            followed_at: Time,
          },
          noExtraProperties,
        ),
        { maxItems: limits.followedListsMax },
      ),
    ),
    followed_tags: t.Optional(
      t.Array(t.Object({ tag: text(limits.tagMax), followed_at: Time }, noExtraProperties), {
        maxItems: limits.followedListsMax,
      }),
    ),
    comments: t.Array(TransferComment, { maxItems: 1_000_000 }),
    /** By link of the video. */
    watched: t.Optional(
      t.Array(t.Object({ source_url: StoredUrl, watched_at: Time }, noExtraProperties), {
        maxItems: 1_000_000,
      }),
    ),
    /** Where the user stopped watching, by link of the video. */
    playback_positions: t.Optional(
      t.Array(
        t.Object(
          {
            source_url: StoredUrl,
            seconds: t.Integer({ minimum: 1, maximum: limits.durationMax }),
            updated_at: Time,
          },
          noExtraProperties,
        ),
        { maxItems: 1_000_000 },
      ),
    ),
    /** By username. */
    blocked: t.Optional(
      t.Array(t.Object({ username, blocked_at: Time }, noExtraProperties), { maxItems: 1_000_000 }),
    ),
    muted_users: t.Optional(
      t.Array(t.Object({ username, muted_at: Time }, noExtraProperties), { maxItems: limits.mutesMax }),
    ),
    muted_tags: t.Optional(
      t.Array(t.Object({ tag: text(limits.tagMax), muted_at: Time }, noExtraProperties), {
        maxItems: limits.mutesMax,
      }),
    ),
    smart_collections: t.Optional(
      t.Array(
        t.Object(
          {
            name: text(limits.nameMax),
            description: optionalText(limits.descriptionMax),
            access: BookmarkAccess,
            query: SmartQuery,
            /** Index of the collection that the query is limited to, and of the channel in it, from 0, instead of ids. */
            collection: nullable(t.Integer({ minimum: 0, maximum: 100_000 })),
            channel: nullable(t.Integer({ minimum: 0, maximum: 10_000 })),
            created_at: Time,
            /** When it was moved to the trash. Those in the trash are not imported. */
            deleted_at: nullable(Time),
          },
          noExtraProperties,
        ),
        { maxItems: 10_000 },
      ),
    ),
    ...exportOnlyLists,
  },
  noExtraProperties,
)
export type TransferFile = t.Static<typeof TransferFile>

export const exportFormats = ['json', 'html', 'csv'] as const

/** What an export contains: everything, or with `html` and `csv` one of the user's own collections or smart collections. */
export const ExportSource = t.Object(
  {
    /** `json` contains everything and can be imported; the others contain bookmarks, for other programs. */
    format: t.Optional(t.Enum(exportFormats, { default: 'json' })),
    collection: t.Optional(Id),
    smart_collection: t.Optional(Id),
    /** Whether the download is a zip file, with the file and the pictures of its bookmarks. */
    pictures: t.Optional(t.Boolean({ default: false })),
  },
  noExtraProperties,
)
export type ExportSource = t.Static<typeof ExportSource>

export const Export = t.Object({
  id: Id,
  state: t.Enum(['waiting', 'running', 'done', 'failed']),
  /** Rows processed, and rows in total; both are 0 until the rows are counted. */
  done: t.Integer(),
  total: t.Integer(),
  created_at: Time,
  finished_at: nullable(Time),
  format: t.Enum(exportFormats),
  /** Name of the collection or smart collection; null: everything. */
  source_name: nullable(t.String()),
  /** How many pictures it contains; null: it was requested without pictures. */
  pictures_count: nullable(t.Integer()),
  /** In bytes; null until the export is done, and with pictures, because the zip file is created while it is sent. */
  size: nullable(t.Integer()),
  /** When the download ends. */
  expires_at: Time,
})
export type Export = t.Static<typeof Export>

export const ownTransfer = { group: 'transfer', auth: 'user' } as const
export const ownTransferErrors = ['unauthenticated', 'invalid-token', 'insufficient-scope'] as const

export const startExport = endpoint({
  ...ownTransfer,
  method: 'POST',
  path: '/transfer/exports/',
  summary: 'Start an export of your account, or of the bookmarks of a collection, in the background',
  query: ExportSource,
  /** `read`, because a token with only `write` must not get private data. */
  scope: 'read',
  invalidatesCache: false,
  status: 201,
  reply: Export,
  errors: ['invalid', ...ownTransferErrors, 'not-found', 'already-running', 'rate-limited'],
})

export const listExports = endpoint({
  ...ownTransfer,
  method: 'GET',
  path: '/transfer/exports/',
  summary: 'List your exports, newest first',
  query: PageQuery,
  status: 200,
  reply: pageOf(Export),
  errors: [...ownTransferErrors, 'invalid-page'],
})

export const getExport = endpoint({
  ...ownTransfer,
  method: 'GET',
  path: '/transfer/exports/:id/',
  summary: 'Get the progress of an export',
  params: IdParams,
  status: 200,
  reply: Export,
  errors: [...ownTransferErrors, 'not-found'],
})

export const downloadExport = endpoint({
  ...ownTransfer,
  method: 'GET',
  path: '/transfer/exports/:id/file/',
  summary: 'Download the file of a finished export; with pictures a zip file that contains it',
  params: IdParams,
  status: 200,
  reply: TransferFile,
  errors: [...ownTransferErrors, 'not-found'],
})
