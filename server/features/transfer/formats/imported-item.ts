/** The one form into which the files of all tools are read. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { isHttpUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { normalizeUnicode } from '../../../core/http/unicode.ts'
import { normaliseUrl } from '../../../core/video-links/normalise-url.ts'
import { normaliseTags } from '../../../shared/tag-names.ts'
import { readTime } from './read-time.ts'

/** What the user did with a link. A subscription is the link of a channel of another site. */
export type ItemKind = 'saved' | 'liked' | 'watch_later' | 'watched' | 'subscription'

/** Where an item is in the upload. */
export interface ItemOrigin {
  /** The file in a zip file; null if the upload is the file itself. */
  file: string | null
  /** From 1, in the order of the file. Other lines than items do not count. */
  row: number
}

/** A usable item. Its texts fit the limits of bookmarks: longer ones are cut. */
export interface ImportedItem extends ItemOrigin {
  kind: ItemKind
  /** An http or https URL as the tool wrote it. */
  url: string
  /** Blank if the tool has none, like the following texts. */
  title: string
  description: string
  /** Only for the owner. */
  note: string
  tags: string[]
  /** The names of the folders that contain it, the outermost first. */
  folders: string[]
  /** RFC 3339 in UTC; null if unknown. */
  saved_at: string | null
  /** Null if the tool does not distinguish. */
  is_private: boolean | null
  /** Where the user stopped watching. */
  position_seconds: number | null
  /** Its place in the order that the user gave its folder; null if the order of the file is all that is known. */
  list_position: number | null
}

/** An item that cannot be used. */
export interface RejectedItem extends ItemOrigin {
  /** Its title or link. */
  what: string
  reason: string
}

/** What readers of formats yield: the values as they are in the file, of any type. */
export interface RawItem {
  kind?: ItemKind
  url?: unknown
  title?: unknown
  description?: unknown
  note?: unknown
  tags?: unknown
  folders?: unknown
  saved_at?: unknown
  is_private?: boolean | null
  position_seconds?: unknown
  list_position?: unknown
  /** Why the reader cannot use it. */
  reason?: string
}

/** Deeper folders are combined into the last one that is read. */
const maxFolders = 10
/** How many tags, and parts of a path of folders, of an item are looked at: a file can have millions. */
const maxRawNames = 200
/** Characters of a link or title in a report. */
const maxWhat = 200

export function isRejected(item: ImportedItem | RejectedItem): item is RejectedItem {
  return 'reason' in item
}

/** Returns the item in the common form, or why it cannot be used. */
export function normaliseItem(raw: RawItem, origin: ItemOrigin): ImportedItem | RejectedItem {
  const title = cleanLine(raw.title, limits.titleMax)
  const entered = typeof raw.url === 'string' ? raw.url.trim() : ''
  const reject = (reason: string): RejectedItem => ({
    file: origin.file,
    row: origin.row,
    what: cleanLine(title === '' ? entered : title, maxWhat),
    reason,
  })
  if (raw.reason !== undefined) return reject(raw.reason)
  if (entered === '') return reject('It has no link.')
  if (entered.length > limits.urlMax) return reject('Its link is too long.')
  const isComplete = isHttpUrl(entered) && !/[\s\p{Cc}]/u.test(entered)
  const url = isComplete ? entered.toWellFormed() : normaliseUrl(entered)
  if (url === null) return reject("Its link isn't the address of a web page.")
  return {
    file: origin.file,
    row: origin.row,
    kind: raw.kind ?? 'saved',
    url,
    // Many tools write the link as the title of a page without one.
    title: title === entered ? '' : title,
    description: cleanText(raw.description, limits.descriptionMax),
    note: cleanText(raw.note, limits.privateNoteMax),
    tags: readTags(raw.tags),
    folders: readFolders(raw.folders),
    saved_at: readTime(raw.saved_at),
    is_private: raw.is_private ?? null,
    position_seconds: readCount(raw.position_seconds, limits.durationMax),
    list_position: readCount(raw.list_position, Number.MAX_SAFE_INTEGER),
  }
}

/** Returns a text without characters that cannot be stored, cut after `maxLength` characters; blank for other types. */
export function cleanText(value: unknown, maxLength: number): string {
  if (typeof value !== 'string') return typeof value === 'number' ? String(value) : ''
  const text = value
    .slice(0, maxLength * 4)
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be stored
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '')
  return [...normalizeUnicode(text).trim()].slice(0, maxLength).join('').trim()
}

/** Returns a text on one line. */
export function cleanLine(value: unknown, maxLength: number): string {
  if (typeof value !== 'string') return cleanText(value, maxLength)
  return cleanText(value.slice(0, maxLength * 4).replace(/\s+/g, ' '), maxLength)
}

/** Splits a text into tags or folders, as many as are looked at. */
export function splitNames(text: string, separator: string | RegExp): string[] {
  return text.split(separator, maxRawNames)
}

function readTags(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  const tags = value.slice(0, maxRawNames).map((tag) => cleanLine(tag, limits.tagMax * 2).replace(/^#/, ''))
  return normaliseTags(tags)
}

function readFolders(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  const names = value
    .slice(0, maxRawNames)
    .map((name) => cleanLine(name, limits.nameMax))
    .filter((name) => name !== '')
  if (names.length <= maxFolders) return names
  return [
    ...names.slice(0, maxFolders - 1),
    cleanLine(names.slice(maxFolders - 1).join(' / '), limits.nameMax),
  ]
}

function readCount(value: unknown, max: number): number | null {
  const count = typeof value === 'string' && value !== '' ? Number(value) : value
  if (typeof count !== 'number' || !Number.isFinite(count) || count < 0) return null
  return Math.min(Math.floor(count), max)
}
