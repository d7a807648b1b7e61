/** Reads the exports of FreeTube (playlists, history, profiles) and Invidious. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { MalformedFile } from '../json-stream.ts'
import { cleanLine, type RawItem } from './imported-item.ts'
import { asList, asRecord, asText, type JsonItem, readJsonItems } from './json-items.ts'
import { maxFolders } from './read-limits.ts'
import type { SourceFile } from './uploaded-file.ts'

/** Channels with longer addresses are not compared with others: those of YouTube have 56 characters. */
const maxChannelUrl = 100

/** FreeTube writes one object per line; older versions wrote playlists as one list. */
const documentPaths = ['$', '$.*', '$.videos.*', '$.*.videos.*']

/** Names and links of the lists are in different places, so the file is read twice. */
export async function* readFreetube(file: SourceFile): AsyncGenerator<RawItem> {
  const playlists = new Map<string, Pick<RawItem, 'kind' | 'folders'>>()
  for await (const item of readJsonItems(file, documentPaths, { isLines: true })) {
    const { playlistName } = asRecord(item.value)
    if (!isDocument(item) || playlistName === undefined) continue
    if (playlists.size === maxFolders) throw new MalformedFile('The file has too many collections.')
    playlists.set(documentKey(item), readPlaylist(asText(playlistName)))
  }
  const profileChannels = new Set<string>()
  for await (const item of readJsonItems(file, documentPaths, { isLines: true })) {
    const value = asRecord(item.value)
    if (isVideo(item)) yield { ...readVideo(value, item.path.at(-1)), ...playlists.get(documentKey(item)) }
    else if (isDocument(item) && value.timeWatched !== undefined) yield readWatched(value)
    else if (isDocument(item)) {
      for (const raw of asList(value.subscriptions)) {
        const { id, name } = asRecord(raw)
        const url = channelUrl(id)
        // A channel can be in several profiles.
        if (profileChannels.has(url)) continue
        if (url.length <= maxChannelUrl) profileChannels.add(url)
        yield { kind: 'subscription', url, title: name }
      }
    }
  }
}

function isVideo({ path }: JsonItem): boolean {
  return path.at(-2) === 'videos' && typeof path.at(-1) === 'number'
}

/** An object of its own line, or of the list that the file is. */
function isDocument({ path }: JsonItem): boolean {
  return path.length === 0 || (path.length === 1 && typeof path[0] === 'number')
}

function documentKey({ document, path }: JsonItem): string {
  const [index] = path
  return `${document} ${typeof index === 'number' ? index : 0}`
}

/** Returns what the items of a playlist have in common. Cuts the name, because a file can have names of megabytes. */
function readPlaylist(name: string): Pick<RawItem, 'kind' | 'folders'> {
  if (name === 'Watch Later') return { kind: 'watch_later', folders: [] }
  return { kind: 'saved', folders: [cleanLine(name, limits.nameMax)] }
}

function readVideo(video: Record<string, unknown>, position: unknown): RawItem {
  return {
    url: videoUrl(video.videoId),
    title: video.title,
    saved_at: video.timeAdded,
    list_position: position,
  }
}

function readWatched(video: Record<string, unknown>): RawItem {
  return {
    kind: 'watched',
    url: videoUrl(video.videoId),
    title: video.title,
    saved_at: video.timeWatched,
    position_seconds: video.watchProgress,
  }
}

function videoUrl(id: unknown): string {
  const text = asText(id)
  return text === '' ? '' : `https://www.youtube.com/watch?v=${encodeURIComponent(text.toWellFormed())}`
}

function channelUrl(id: unknown): string {
  const text = asText(id)
  return text === '' ? '' : `https://www.youtube.com/channel/${encodeURIComponent(text.toWellFormed())}`
}

const invidiousPaths = ['$.subscriptions.*', '$.watch_history.*', '$.playlists.*']

/** Lists hold ids; the history has no times. */
export async function* readInvidious(file: SourceFile): AsyncGenerator<RawItem> {
  for await (const { path, value } of readJsonItems(file, invidiousPaths)) {
    if (path[0] === 'subscriptions') yield { kind: 'subscription', url: channelUrl(value) }
    else if (path[0] === 'watch_history') yield { kind: 'watched', url: videoUrl(value) }
    else {
      const { title, privacy, videos } = asRecord(value)
      const is_private = typeof privacy === 'string' ? privacy.toLowerCase() !== 'public' : null
      for (const [list_position, id] of asList(videos).entries()) {
        yield { url: videoUrl(id), folders: [title], is_private, list_position }
      }
    }
  }
}
