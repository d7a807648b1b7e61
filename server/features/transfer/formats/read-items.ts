/** Reads the items of an upload whose format is known. */
import type { CsvMapping } from '@reelmark/contract/imports.ts'
import { createYield } from '../../../core/yield.ts'
import { MalformedFile } from '../json-stream.ts'
import { readBookmarkPage } from './bookmark-page.ts'
import { readMappedCsv } from './csv-formats.ts'
import type { ArchivedFile, FileFormat, ForeignFormat } from './detect-format.ts'
import { readFreetube, readInvidious } from './freetube.ts'
import {
  cleanLine,
  type ImportedItem,
  normaliseItem,
  type RawItem,
  type RejectedItem,
} from './imported-item.ts'
import * as json from './json-formats.ts'
import { readLinkList } from './link-list.ts'
import { readNewpipeDatabase, readNewpipeSubscriptions } from './newpipe.ts'
import { maxReadMs, maxRows } from './read-limits.ts'
import { readSourceFile } from './source-file.ts'
import type { SourceFile, UploadedFile } from './uploaded-file.ts'
import * as youtube from './youtube.ts'
import { type Archive, openArchive } from './zip-archive.ts'

export interface ReadOptions {
  /** The columns of a CSV file as the user corrected them. */
  mapping?: CsvMapping | undefined
}

/** Characters of the name of a file in a zip file. */
const maxEntryName = 200

type SimpleFormat = Exclude<FileFormat['format'], 'csv' | `${string}-csv`>

const readers: Record<SimpleFormat, (file: SourceFile) => AsyncGenerator<RawItem>> = {
  'youtube-history-json': youtube.readHistoryJson,
  'youtube-history-page': youtube.readHistoryPage,
  'youtube-json': youtube.readYoutubeJson,
  newpipe: readNewpipeDatabase,
  'newpipe-subscriptions': readNewpipeSubscriptions,
  freetube: readFreetube,
  invidious: readInvidious,
  tiktok: json.readTiktok,
  vimeo: json.readVimeo,
  dailymotion: json.readDailymotion,
  pinboard: json.readPinboard,
  wallabag: json.readWallabag,
  omnivore: json.readOmnivore,
  karakeep: json.readKarakeep,
  linkwarden: json.readLinkwarden,
  'bookmark-page': readBookmarkPage,
  'link-page': readBookmarkPage,
  'link-list': readLinkList,
  'video-list': readSourceFile,
  feed: readSourceFile,
}

/**
 * Yields the items of an upload in the common form, and those that cannot be used with the reason. Stores at most one row
 * at a time, and lets other work of the process run.
 * @throws MalformedFile if the file is damaged or exceeds a limit; what was yielded before must then be discarded.
 */
export async function* readItems(
  detected: ForeignFormat,
  upload: UploadedFile,
  options: ReadOptions = {},
): AsyncGenerator<ImportedItem | RejectedItem> {
  const end = performance.now() + maxReadMs
  const letOthersRun = createYield()
  let count = 0
  for await (const { raw, file, row } of readRows(detected, upload, options)) {
    // One value of a file can hold tens of thousands of items, for example a playlist of Invidious.
    await letOthersRun()
    count += 1
    if (count > maxRows)
      throw new MalformedFile(`The file has more than ${maxRows.toLocaleString('en')} items.`)
    if (performance.now() > end) throw new MalformedFile('Reading the file takes too long.')
    yield normaliseItem(raw, { file, row })
  }
}

async function* readRows(detected: ForeignFormat, upload: UploadedFile, options: ReadOptions) {
  if (detected.format !== 'zip') {
    yield* numberRows(readFile(detected, upload, options), null)
    return
  }
  await using archive = await openArchive(upload)
  const playlists = await readPlaylists(detected.files, archive)
  for (const found of detected.files) {
    const entry = archive.entries[found.index]
    // Anyone can choose the names in a zip file, up to 64 KB each, and each item of the file has a copy of it.
    const name = cleanLine(entry?.name, maxEntryName)
    if (entry !== undefined) yield* numberRows(readFile(found, entry, options, playlists), name)
  }
}

/** An archive names its playlists in one file, with their visibility. */
async function readPlaylists(
  files: readonly ArchivedFile[],
  archive: Archive,
): Promise<youtube.PlaylistIndex> {
  const index = files.find(({ format }) => format === 'youtube-playlists-csv')
  const entry = archive.entries[index?.index ?? -1]
  if (entry === undefined) return new Map()
  const names = files.filter(({ format }) => format === 'youtube-playlist-csv').map(({ name }) => name)
  return youtube.readPlaylistIndex(entry, index?.delimiter ?? ',', names)
}

async function* numberRows(items: AsyncGenerator<RawItem>, file: string | null) {
  let row = 0
  for await (const raw of items) {
    row += 1
    yield { raw, file, row }
  }
}

function readFile(
  { format, delimiter = ',', columns }: FileFormat,
  file: SourceFile,
  { mapping }: ReadOptions,
  playlists?: youtube.PlaylistIndex,
): AsyncGenerator<RawItem> {
  switch (format) {
    case 'youtube-playlist-csv':
      return youtube.readPlaylistCsv(file, delimiter, playlists)
    case 'youtube-playlists-csv':
      return readNothing()
    case 'youtube-subscriptions-csv':
      return youtube.readSubscriptionsCsv(file, delimiter)
    case 'raindrop-csv':
    case 'pocket-csv':
    case 'instapaper-csv':
    case 'reddit-saved-csv':
    case 'csv':
      return readMappedCsv(file, delimiter, {
        headers: columns?.headers ?? [],
        mapping: mapping ?? columns?.mapping ?? {},
      })
    default:
      return readers[format](file)
  }
}

/** The index of playlists has no items of its own. */
async function* readNothing(): AsyncGenerator<RawItem> {}
