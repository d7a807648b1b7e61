/**
 * Reads the files of a YouTube export (Takeout). Names of folders and files, headers and dates are in the language of the
 * account, so files are recognised by their values alone.
 */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { MalformedFile } from '../json-stream.ts'
import { type Delimiter, readCsvRows } from './csv-rows.ts'
import { cleanLine, type ItemKind, type RawItem } from './imported-item.ts'
import { asList, asRecord, asText, readJsonItems } from './json-items.ts'
import { readPageItems } from './page-items.ts'
import { maxFolders } from './read-limits.ts'
import { readTime } from './read-time.ts'
import type { SourceFile } from './uploaded-file.ts'
import { likedNames, videosSuffixes, watchLaterNames } from './youtube-names.ts'

/** A playlist as the index of an export names it. */
export interface PlaylistFacts {
  title: string
  isPrivate: boolean | null
}

/** By title as it occurs in names of files. */
export type PlaylistIndex = ReadonlyMap<string, PlaylistFacts>

const videoId = /^[\w-]{11}$/
const playlistId = /^(?:PL|WL|LL|FL|OL|UU)[\w-]{0,64}$/
const channelId = /^UC[\w-]{22}$/

const videoUrl = (id: string) => `https://www.youtube.com/watch?v=${id}`

export type YoutubeCsvFormat = 'youtube-playlist-csv' | 'youtube-playlists-csv' | 'youtube-subscriptions-csv'

/** Recognises a CSV file of an export by the values of its first rows. */
export function findYoutubeCsv(rows: readonly string[][]): YoutubeCsvFormat | null {
  const [header = [], ...others] = rows
  const [first = []] = others
  const names = header.map((cell) => cell.trim().toLowerCase())
  const isPlaylist = others.some(isVideoRow) || (names[0] === 'video id' && names.length === 2)
  if (isPlaylist) return 'youtube-playlist-csv'
  // The list of the user's own channels has no addresses.
  const isChannel = channelId.test(first[0] ?? '') && /youtube\.com\/channel\//.test(first[1] ?? '')
  if ((isChannel && names.length === 3) || names[1] === 'channel url') return 'youtube-subscriptions-csv'
  if (!playlistId.test(first[0] ?? '') && names[0] !== 'playlist id') return null
  // Exports before 2023 wrote the facts of a playlist above its videos, in seven columns.
  return names.length <= 7 ? 'youtube-playlist-csv' : 'youtube-playlists-csv'
}

function isVideoRow([id = '', time = '']: readonly string[]): boolean {
  return videoId.test(id.trim()) && readTime(time) !== null
}

/** @throws MalformedFile */
export async function* readPlaylistCsv(
  file: SourceFile,
  delimiter: Delimiter,
  playlists: PlaylistIndex = new Map(),
): AsyncGenerator<RawItem> {
  let list = findPlaylist(file.name ?? '', playlists)
  let position = 0
  for await (const row of readCsvRows(file, delimiter)) {
    const [id = '', time = ''] = row.map((cell) => cell.trim())
    if (playlistId.test(id) && row.length >= 5) {
      list = { ...listByTitle(row[4] ?? '', id), isPrivate: readVisibility(row[6] ?? '') }
    } else if (isVideoRow(row)) {
      yield {
        ...list.item,
        url: videoUrl(id),
        saved_at: time,
        is_private: list.isPrivate,
        list_position: position,
      }
      position += 1
    } else if (readTime(time) !== null) {
      yield { url: id, reason: "It isn't the id of a video." }
    }
  }
}

/**
 * Reads the index of the playlists of an export. The order of its columns differs between exports, so the title is the
 * cell that a file of the export is named after.
 * @param names the names of the files of playlists
 * @throws MalformedFile
 */
export async function readPlaylistIndex(
  file: SourceFile,
  delimiter: Delimiter,
  names: readonly string[],
): Promise<PlaylistIndex> {
  const fileNames = new Set(names.flatMap(listTitles).map(toFileName))
  const playlists = new Map<string, PlaylistFacts>()
  for await (const row of readCsvRows(file, delimiter)) {
    if (!playlistId.test(row[0] ?? '')) continue
    if (playlists.size === maxFolders) throw new MalformedFile('The export has too many playlists.')
    const title = row.slice(1, maxIndexColumns).find((cell) => fileNames.has(toFileName(cell)))
    const isPrivate =
      row
        .slice(1, maxIndexColumns)
        .map(readVisibility)
        .find((value) => value !== null) ?? null
    if (title === undefined) continue
    // A file can have titles of megabytes.
    playlists.set(toFileName(title), { title: cleanLine(title, limits.nameMax), isPrivate })
  }
  return playlists
}

const maxIndexColumns = 50

/** YouTube replaces characters that file names cannot contain. */
function toFileName(title: string): string {
  return title.replace(/[^\p{L}\p{N}]+/gu, '_').toLowerCase()
}

/**
 * Returns the possible titles of a playlist by the name of its file, the most likely first. A translated word for videos
 * follows the title, as in "Takeout/…/Music-videos(1).csv" or "Música videos.csv".
 */
function listTitles(name: string): string[] {
  const base = name
    .slice(name.lastIndexOf('/') + 1)
    .normalize('NFC')
    .replace(/\.csv$/i, '')
  const bare = base.replace(/\(\d+\)$/, '')
  const cut = (separator: string): string[] => {
    const at = bare.lastIndexOf(separator)
    return at > 0 && videosSuffixes.has(bare.slice(at + 1).toLowerCase()) ? [bare.slice(0, at)] : []
  }
  return [...cut('-'), bare, ...cut(' ')]
}

function findPlaylist(name: string, playlists: PlaylistIndex) {
  const titles = listTitles(name)
  const facts = titles.map((title) => playlists.get(toFileName(title))).find((found) => found !== undefined)
  const ownList = titles.find((title) => isOwnList(title))
  return { ...listByTitle(ownList ?? facts?.title ?? titles[0] ?? ''), isPrivate: facts?.isPrivate ?? null }
}

function isOwnList(title: string): boolean {
  const name = title.trim().toLowerCase()
  return watchLaterNames.has(name) || likedNames.has(name)
}

/** Returns what is common to the items of a playlist: YouTube's own lists are not collections. */
function listByTitle(title: string, id = ''): { item: { kind: ItemKind; folders: string[] } } {
  const name = title.trim().toLowerCase()
  if (id.startsWith('WL') || watchLaterNames.has(name)) return { item: { kind: 'watch_later', folders: [] } }
  if (id.startsWith('LL') || likedNames.has(name)) return { item: { kind: 'liked', folders: [] } }
  return { item: { kind: 'saved', folders: [title === '' ? 'YouTube playlist' : title] } }
}

/** The words for private and unlisted are translated; that for public is not needed: other values are unknown. */
function readVisibility(text: string): boolean | null {
  const value = text.trim().toLowerCase()
  if (value === 'private' || value === 'unlisted' || value === 'privat' || value === 'nicht gelistet')
    return true
  return value === 'public' || value === 'öffentlich' ? false : null
}

/** @throws MalformedFile */
export async function* readSubscriptionsCsv(file: SourceFile, delimiter: Delimiter): AsyncGenerator<RawItem> {
  let row = 0
  for await (const [id = '', , title = ''] of readCsvRows(file, delimiter)) {
    row += 1
    if (channelId.test(id.trim())) yield subscription(id.trim(), title)
    else if (row > 1) yield { title: title || id, reason: "It isn't the id of a channel." }
  }
}

function subscription(id: string, title: unknown): RawItem {
  return { kind: 'subscription', url: `https://www.youtube.com/channel/${id}`, title }
}

/** Exports before 2021 and other tools wrote playlists and subscriptions as lists of YouTube's interface. */
export async function* readYoutubeJson(file: SourceFile): AsyncGenerator<RawItem> {
  for await (const { value } of readJsonItems(file, ['$.*'])) {
    const { snippet: rawSnippet, contentDetails } = asRecord(value)
    const snippet = asRecord(rawSnippet)
    const { channelId: channel, videoId: video } = asRecord(snippet.resourceId)
    const { videoId: contentId } = asRecord(contentDetails)
    const id = asText(video) || asText(contentId)
    if (channelId.test(asText(channel))) yield subscription(asText(channel), snippet.title)
    else if (videoId.test(id)) {
      yield {
        ...listByTitle('', asText(snippet.playlistId)).item,
        url: videoUrl(id),
        title: snippet.title,
        saved_at: snippet.publishedAt,
        list_position: snippet.position,
      }
    } else yield { title: snippet.title, reason: "It isn't a video or a channel." }
  }
}

const noVideo = "It isn't a video, or the video was deleted."

/** @throws MalformedFile */
export async function* readHistoryJson(file: SourceFile): AsyncGenerator<RawItem> {
  for await (const { value } of readJsonItems(file, ['$.*'])) {
    const entry = asRecord(value)
    const isAd = asList(entry.details).length > 0
    if (isAd) continue
    const title = asText(entry.title)
    yield watchedItem(asText(entry.titleUrl), title.startsWith('Watched ') ? title.slice(8) : '', entry.time)
  }
}

function watchedItem(url: string, title: string, time: unknown): RawItem {
  if (!isVideoUrl(url)) return { title: title || url, reason: noVideo }
  return { kind: 'watched', url, title, saved_at: time }
}

function isVideoUrl(url: string): boolean {
  return /^https:\/\/(?:www|music|m)\.youtube\.com\/(?:watch\?|shorts\/|live\/)/.test(url)
}

/**
 * Reads a history as a page. Each cell holds the link of the video, that of its channel, and the time in the account's
 * language, which is understood if it is English, German or written in numbers.
 * @throws MalformedFile
 */
export function readHistoryPage(file: SourceFile): AsyncGenerator<RawItem> {
  return readPageItems(file, createHistoryReader())
}

/** Characters of a title or time that are stored. */
const maxCellText = 2000

function createHistoryReader() {
  let items: RawItem[] = []
  let cell: { url: string; title: string; line: string; time: string } | null = null
  let isInVideoLink = false

  return {
    takeItems(): RawItem[] {
      const taken = items
      items = []
      return taken
    },
    open(tag: string, { class: names = '', href = '' }: Record<string, string>): void {
      if (tag === 'div' && names.includes('content-cell')) {
        const holdsActivity = names.includes('body-1') && !names.includes('text-right')
        cell = holdsActivity ? { url: '', title: '', line: '', time: '' } : null
      } else if (tag === 'a' && cell !== null && cell.url === '') {
        cell.url = href
        isInVideoLink = true
      } else if (tag === 'br' && cell !== null) {
        endLine(cell)
      }
    },
    close(tag: string): void {
      if (tag === 'a') isInVideoLink = false
      if (tag !== 'div' || cell === null) return
      endLine(cell)
      items.push(watchedItem(cell.url, cell.title, cell.time))
      cell = null
    },
    // A cell that is not closed is not complete.
    end() {},
    text(piece: string): void {
      if (cell === null) return
      if (isInVideoLink && cell.title.length < maxCellText) cell.title += piece
      else if (!isInVideoLink && cell.line.length < maxCellText) cell.line += piece
    },
  }
}

/** The time is the last line. */
function endLine(cell: { line: string; time: string }): void {
  if (cell.line.trim() !== '') cell.time = cell.line
  cell.line = ''
}
