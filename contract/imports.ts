/**
 * Imports of a Reelmark export, a file of another tool or a web address. An upload or address is only read: it becomes an import in the state `review`
 * with a summary, and nothing is imported until the user starts it. Every item of the file has an outcome in the report, and
 * an import can be undone while it is listed.
 */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { BookmarkAccess, Id, IdParams, nullable, Time } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { cursorQuery, PageQuery, pageOf } from './protocol/paging.ts'
import { ownTransfer, ownTransferErrors, TransferFile } from './transfer.ts'

const noExtraProperties = { additionalProperties: false } as const

/**
 * `fetching`: the web address is being read. `review`: waits until the user starts or discards it. `failed`: it or its undo stopped; what was done until then stays.
 * `undoing` and `undone`: the undo runs, or is finished.
 */
export const importStates = [
  'fetching',
  'review',
  'waiting',
  'running',
  'done',
  'failed',
  'undoing',
  'undone',
] as const

/**
 * What became of an item. `new`: imported. `changed`: imported, but not as it is in the file; the reason says how. `held`:
 * imported, and public after a review by moderators. `known`: existed already and is unchanged. `skipped`: can be imported, but
 * is not, because of an option or its kind. `rejected`: cannot be imported. After an undo `undone` and `retained` replace `new`,
 * `changed` and `held`: deleted again, or not, with the reason.
 */
export const importOutcomes = [
  'new',
  'changed',
  'held',
  'known',
  'skipped',
  'rejected',
  'undone',
  'retained',
] as const
export type ImportOutcomeName = (typeof importOutcomes)[number]

/**
 * What an item is. A liked video is two items: the bookmark and the like. So is a watched video with a position, and a further
 * one is the bookmark if it is saved.
 */
export const importRowKinds = [
  'bookmark',
  'like',
  'history',
  'position',
  'subscription',
  'collection',
  'channel',
  'profile',
  'timed_note',
  'follow',
  'followed_collection',
  'followed_tag',
  'block',
  'muted_user',
  'muted_tag',
  'smart_collection',
] as const
export type ImportRowKind = (typeof importRowKinds)[number]

/** The fields that a column of a CSV file can hold. */
export const csvFields = [
  'url',
  'title',
  'description',
  'note',
  'tags',
  'folder',
  'saved_at',
  'is_private',
] as const
export type CsvField = (typeof csvFields)[number]

const column = t.Optional(t.Integer({ minimum: 0, maximum: limits.csvColumnsMax - 1 }))

/** The column of each field, from 0. A field without a column is missing. */
export const CsvMapping = t.Object(
  { ...(Object.fromEntries(csvFields.map((field) => [field, column])) as Record<CsvField, typeof column>) },
  noExtraProperties,
)
export type CsvMapping = t.Static<typeof CsvMapping>

/** How an import is started. Of a Reelmark export only `history` applies. The summary of a review does not depend on them. */
export const ImportOptions = t.Object(
  {
    /** Whether links that are not known to be videos (`plain_links` of the summary) are imported, too. */
    plain_links: t.Optional(t.Boolean({ default: false })),
    /**
     * Whether folders become collections and channels. False: all items are imported into one collection named after the tool,
     * except those of Watch Later.
     */
    folders: t.Optional(t.Boolean({ default: true })),
    /** Access of collections and bookmarks for which the file states none. */
    access: t.Optional(t.Enum(['public', 'private'], { default: 'private' })),
    /**
     * Whether watched videos (`history` of the summary) are added to the user's history, with the positions in them. Those of other
     * tools that the user can't see here are saved as private bookmarks, because a history consists of saved videos. Nothing is
     * added while the user's history is paused. Default: true for a Reelmark export, otherwise false.
     */
    history: t.Optional(t.Boolean()),
  },
  noExtraProperties,
)
export type ImportOptions = t.Static<typeof ImportOptions>

/** What a file contains. Nothing of it is imported yet. */
export const ImportSummary = t.Object({
  /** All items of the file: the sum of videos, plain_links, history, subscriptions, others and rejected. */
  rows: t.Integer(),
  /** Links of videos on known sites, and all bookmarks of a Reelmark export. */
  videos: t.Integer(),
  /** Other links, which are imported only if the option `plain_links` is set. */
  plain_links: t.Integer(),
  /** Of the videos and plain links, how many are in the user's vault already. */
  in_vault: t.Integer(),
  /** Of the videos and plain links, how many the user liked at the other site. They are saved and liked. In a Reelmark export: likes. */
  likes: t.Integer(),
  /** Of the videos and plain links, how many have a date, a note, tags, are marked as private, or are not marked either way. */
  with_date: t.Integer(),
  with_note: t.Integer(),
  with_tags: t.Integer(),
  private: t.Integer(),
  access_unknown: t.Integer(),
  /** Watched videos, which are imported only if the option `history` is set. */
  history: t.Integer(),
  /** Subscriptions to channels of other sites. They are not imported. */
  subscriptions: t.Integer(),
  /** Of a Reelmark export: notes at times, follows, blocks, mutes, smart collections, likes, and the profile. */
  others: t.Integer(),
  /** Pictures in the zip file of a Reelmark export whose videos have none here. Missing if it has none. */
  pictures: t.Optional(t.Integer()),
  /** Different tags, counted up to 10,000. */
  tags: t.Integer(),
  /** Folders of the file as collections, and the folders in them as channels. */
  collections_count: t.Integer(),
  channels: t.Integer(),
  /** The first 100 collections in the order of the file. */
  collections: t.Array(
    t.Object({
      name: t.String(),
      /** Null: the file does not state it for all items, and the option `access` applies. */
      access: nullable(BookmarkAccess),
      videos: t.Integer(),
      plain_links: t.Integer(),
      channels: t.Integer(),
    }),
  ),
  rejected: t.Integer(),
  /** How many items are rejected for each reason, the most frequent first, at most 20. */
  rejected_reasons: t.Array(t.Object({ reason: t.String(), count: t.Integer() })),
  /** The first 10 videos and plain links. */
  sample: t.Array(
    t.Object({
      title: t.String(),
      url: t.String(),
      is_video: t.Boolean(),
      /** The folders that contain it, the outermost first. */
      folders: t.Array(t.String()),
      tags: t.Array(t.String()),
      saved_at: nullable(Time),
      is_private: nullable(t.Boolean()),
    }),
  ),
  /** The first 10 rejected items. */
  rejected_sample: t.Array(
    t.Object({
      /** The file in a zip file; null if the upload is the file itself. */
      file: nullable(t.String()),
      /** From 1, in the order of the file; a header does not count. */
      row: t.Integer(),
      what: t.String(),
      reason: t.String(),
    }),
  ),
})
export type ImportSummary = t.Static<typeof ImportSummary>

/** The columns of a CSV file, and what they hold. */
export const ImportColumns = t.Object({
  /** The first row, for each column. Empty if the file has no header. */
  headers: t.Array(t.String()),
  /** The first 5 rows with items. Each cell is cut after 200 characters. */
  sample: t.Array(t.Array(t.String())),
  /** As guessed, or as the user changed it. */
  mapping: CsvMapping,
})
export type ImportColumns = t.Static<typeof ImportColumns>

export const Import = t.Object({
  id: Id,
  state: t.Enum(importStates),
  /** The name of the detected format: `Raindrop`, `YouTube export (Takeout)`, `Reelmark` … */
  format: t.String(),
  /** Whether the file is a Reelmark export. It states everything, so that only the option `history` applies. */
  is_own_format: t.Boolean(),
  /** The web address that is imported; null for a file. */
  source_url: nullable(t.String()),
  /** Why the address could not be read, or in the state `review` not to its end; otherwise null. */
  failure: nullable(t.String()),
  /** Files of a zip file that contain nothing that can be imported. */
  ignored_files: t.Integer(),
  /** Only in the state `review`, otherwise null. */
  summary: nullable(ImportSummary),
  /** Only in the state `review`, and only of CSV files; otherwise null. */
  columns: nullable(ImportColumns),
  /** Items processed, and items in total: of the import, and while it is undone of the undo. */
  done: t.Integer(),
  total: t.Integer(),
  /** Number of items of each outcome, collections and channels included. All are 0 in the state `review`. */
  outcomes: t.Object(
    Object.fromEntries(importOutcomes.map((name) => [name, t.Integer()])) as Record<
      ImportOutcomeName,
      t.TInteger
    >,
  ),
  /** How many of the items that are `new`, `changed` or `held` are bookmarks. */
  imported_videos: t.Integer(),
  /** Whether it can be undone now: it is done or failed, and created something. */
  can_undo: t.Boolean(),
  /** Imported bookmarks whose missing title, picture, player or duration is still being requested from their pages. */
  incomplete: t.Integer(),
  created_at: Time,
  finished_at: nullable(Time),
  /** When a review is deleted with its file, or a finished import with its report; null while it is running. */
  expires_at: nullable(Time),
})
export type Import = t.Static<typeof Import>

/** One item of the file in the report of an import. */
export const ImportRow = t.Object({
  id: Id,
  /** The file in a zip file; null if the upload is the file itself. */
  file: nullable(t.String()),
  /** From 1, in the order of the file or of its list; a header does not count. */
  row: t.Integer(),
  kind: t.Enum(importRowKinds),
  /** Its title, name or link, cut after 200 characters. */
  what: t.String(),
  /** Blank for items without a link. */
  url: t.String(),
  outcome: t.Enum(importOutcomes),
  /** Why, in one sentence; blank for `new`, `known` and `undone`. */
  reason: t.String(),
  /** The bookmark that it became; null for other items, and once it is deleted. */
  bookmark_id: nullable(Id),
})
export type ImportRow = t.Static<typeof ImportRow>

export const uploadImport = endpoint({
  ...ownTransfer,
  invalidatesCache: false,
  method: 'POST',
  path: '/transfer/imports/',
  /** Files of other tools are sent as application/octet-stream. */
  summary:
    'Upload a file to import and get its summary; nothing is imported until the import is started. Other formats than Reelmark are sent as bytes',
  body: TransferFile,
  status: 201,
  reply: Import,
  errors: [
    'invalid',
    'malformed-body',
    ...ownTransferErrors,
    'too-large',
    'unsupported-type',
    'already-running',
    'rate-limited',
  ],
})

export const importFromUrl = endpoint({
  ...ownTransfer,
  invalidatesCache: false,
  method: 'POST',
  path: '/transfer/imports/from-url/',
  summary:
    'Read the videos of a playlist, channel, feed or web page in the background; nothing is imported until the import is started',
  body: t.Object({ url: t.String({ minLength: 1, maxLength: limits.urlMax }) }, noExtraProperties),
  status: 201,
  reply: Import,
  errors: [
    'invalid',
    'malformed-body',
    ...ownTransferErrors,
    'too-large',
    'unsupported-type',
    'already-running',
    'rate-limited',
  ],
})

export const listImports = endpoint({
  ...ownTransfer,
  method: 'GET',
  path: '/transfer/imports/',
  summary: 'List your imports, newest first',
  query: PageQuery,
  status: 200,
  reply: pageOf(Import),
  errors: [...ownTransferErrors, 'invalid-page'],
})

export const getImport = endpoint({
  ...ownTransfer,
  method: 'GET',
  path: '/transfer/imports/:id/',
  summary: 'Get the summary or progress of an import',
  params: IdParams,
  status: 200,
  reply: Import,
  errors: [...ownTransferErrors, 'not-found'],
})

export const updateImport = endpoint({
  ...ownTransfer,
  invalidatesCache: false,
  method: 'PATCH',
  path: '/transfer/imports/:id/',
  summary:
    'Change which columns of a CSV file are read, while its import is in review; the summary is computed again',
  params: IdParams,
  /** Replaces the whole mapping. `url` is required. */
  body: t.Object({ mapping: CsvMapping }, noExtraProperties),
  status: 200,
  reply: Import,
  errors: [
    'invalid',
    'malformed-body',
    ...ownTransferErrors,
    'not-found',
    'not-in-review',
    'too-large',
    'unsupported-type',
    'rate-limited',
  ],
})

export const startImport = endpoint({
  ...ownTransfer,
  invalidatesCache: false,
  method: 'POST',
  path: '/transfer/imports/:id/start/',
  summary: 'Start an import that is in review, in the background; existing data is not changed',
  params: IdParams,
  body: ImportOptions,
  status: 200,
  reply: Import,
  errors: [
    'invalid',
    'malformed-body',
    ...ownTransferErrors,
    'not-found',
    'not-in-review',
    'too-large',
    'unsupported-type',
    'rate-limited',
  ],
})

export const discardImport = endpoint({
  ...ownTransfer,
  invalidatesCache: false,
  method: 'DELETE',
  path: '/transfer/imports/:id/',
  summary: 'Discard an import that is in review, with its file, or stop reading a web address',
  params: IdParams,
  status: 204,
  reply: t.Null(),
  errors: [...ownTransferErrors, 'not-found', 'not-in-review', 'rate-limited'],
})

export const undoImport = endpoint({
  ...ownTransfer,
  invalidatesCache: false,
  method: 'POST',
  path: '/transfer/imports/:id/undo/',
  summary:
    'Undo a finished import in the background: what it created and nobody changed since is deleted. Bookmarks are moved to the trash',
  params: IdParams,
  status: 200,
  reply: Import,
  errors: [...ownTransferErrors, 'not-found', 'not-undoable', 'already-running', 'rate-limited'],
})

const outcomeFilter = { outcome: t.Optional(t.Enum(importOutcomes)) }

export const listImportRows = endpoint({
  ...ownTransfer,
  method: 'GET',
  path: '/transfer/imports/:id/rows/',
  summary:
    'List the items of the file of an import with their outcome, in the order in which they were processed',
  params: IdParams,
  query: t.Object({ ...cursorQuery, ...outcomeFilter }, noExtraProperties),
  status: 200,
  reply: pageOf(ImportRow),
  errors: ['invalid', ...ownTransferErrors, 'not-found', 'invalid-page'],
})

export const downloadImportReport = endpoint({
  ...ownTransfer,
  method: 'GET',
  path: '/transfer/imports/:id/report/',
  /** The columns `file,row,kind,item,link,outcome,reason`. Cells that a spreadsheet would run as a formula start with an apostrophe. */
  summary: 'Download the report of an import as a CSV file',
  params: IdParams,
  query: t.Object(outcomeFilter, noExtraProperties),
  status: 200,
  reply: t.String(),
  errors: ['invalid', ...ownTransferErrors, 'not-found', 'rate-limited'],
})
