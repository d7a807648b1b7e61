/** JSON files of bookmark managers and video sites. */

import * as limits from '@reelmark/contract/protocol/limits.ts'
import { MalformedFile } from '../json-stream.ts'
import { cleanLine, type RawItem, splitNames } from './imported-item.ts'
import { asList, asRecord, asText, readJsonItems } from './json-items.ts'
import { maxFolderDepth, maxFolders } from './read-limits.ts'
import type { SourceFile } from './uploaded-file.ts'

/** Returns a reader of a file that is a list, whose elements `readItem` converts. */
function createListReader(path: string, readItem: (item: Record<string, unknown>) => RawItem) {
  return async function* readList(file: SourceFile): AsyncGenerator<RawItem> {
    for await (const { value } of readJsonItems(file, [path])) yield readItem(asRecord(value))
  }
}

export const readPinboard = createListReader('$.*', (item) => ({
  kind: item.toread === 'yes' ? 'watch_later' : 'saved',
  url: item.href,
  title: item.description,
  description: item.extended,
  tags: splitNames(asText(item.tags), ' '),
  saved_at: item.time,
  is_private: item.shared === 'no' ? true : item.shared === 'yes' ? false : null,
}))

export const readWallabag = createListReader('$.*', (item) => ({
  url: asText(item.given_url) === '' ? item.url : item.given_url,
  title: item.title,
  note: asList(item.annotations)
    .map((annotation) => asText(asRecord(annotation).text))
    .filter((text) => text !== '')
    .join('\n'),
  // Version 1 wrote them as a text.
  tags: typeof item.tags === 'string' ? splitNames(item.tags, ',') : asList(item.tags).map(readLabel),
  saved_at: item.created_at,
  is_private: typeof item.is_public === 'boolean' ? !item.is_public : null,
}))

export const readOmnivore = createListReader('$.*', (item) => ({
  url: item.url,
  title: item.title,
  description: item.description,
  tags: asList(item.labels).map(readLabel),
  saved_at: item.savedAt,
}))

/** The lists of Vimeo's interface, for example of likes. */
export const readVimeo = createListReader('$.data.*', (item) => {
  // The lists of a channel or showcase wrap the video in some versions.
  const clip = item.clip === undefined ? item : asRecord(item.clip)
  const isPrivate = asText(asRecord(clip.privacy).view)
  return {
    url: clip.link,
    title: clip.name,
    description: clip.description,
    tags: asList(clip.tags).map(readLabel),
    saved_at: item.added_time,
    is_private: isPrivate === 'nobody' ? true : null,
  }
})

/** The lists of Dailymotion's interface, for example of favorites. */
export const readDailymotion = createListReader('$.list.*', (item) => ({
  url:
    asText(item.url) === '' && asText(item.id) !== ''
      ? `https://www.dailymotion.com/video/${item.id}`
      : item.url,
  title: item.title,
  description: item.description,
  tags: asList(item.tags),
}))

const tiktokLists: Record<string, RawItem['kind']> = {
  FavoriteVideoList: 'saved',
  ItemFavoriteList: 'liked',
  VideoList: 'watched',
}
const tiktokPaths = [
  '$.*.Favorite Videos.FavoriteVideoList.*',
  '$.*.Like List.ItemFavoriteList.*',
  '$.*.Video Browsing History.VideoList.*',
  '$.*.Watch History.VideoList.*',
]

/** The sections have different names in exports before and after 2024. */
export async function* readTiktok(file: SourceFile): AsyncGenerator<RawItem> {
  for await (const { path, value } of readJsonItems(file, tiktokPaths)) {
    const item = asRecord(value)
    const kind = tiktokLists[String(path[2])] ?? 'saved'
    yield {
      kind,
      url: item.Link ?? item.link ?? item.VideoLink,
      saved_at: item.Date ?? item.date,
      folders: kind === 'saved' ? ['TikTok favorites'] : [],
    }
  }
}

/** Bookmarks name the lists that contain them; the lists are at the end of the file, so it is read twice. */
export async function* readKarakeep(file: SourceFile): AsyncGenerator<RawItem> {
  const folders = await readFolders(file, '$.lists.*', 'parentId')
  for await (const { value } of readJsonItems(file, ['$.bookmarks.*'])) {
    const item = asRecord(value)
    const content = asRecord(item.content)
    const lists = asList(item.lists)
    const { title, note, tags, createdAt: saved_at } = item
    const common = { title, note, tags, saved_at, description: content.description }
    if (content.type === 'text' || content.type === 'asset') yield { ...common, reason: "It isn't a link." }
    else if (lists.length === 0) yield { ...common, url: content.url }
    else {
      for (const list of lists) {
        const id = typeof list === 'string' ? list : asRecord(list).id
        yield { ...common, url: content.url, folders: folders.find(id) }
      }
    }
  }
}

/** Links are within their collection, and a collection may come before the one that contains it: the file is read twice. */
export async function* readLinkwarden(file: SourceFile): AsyncGenerator<RawItem> {
  const folders = await readFolders(file, '$.collections.*', 'parentId', '$.collections.*.links.*')
  for await (const { path, value } of readJsonItems(file, ['$.collections.*.links.*'])) {
    const item = asRecord(value)
    const collection = folders.at(Number(path[1]))
    yield {
      url: item.url,
      title: item.name,
      description: item.description,
      tags: asList(item.tags).map(readLabel),
      folders: collection?.path,
      saved_at: item.importDate ?? item.createdAt,
      is_private: collection?.isPrivate ?? null,
    }
  }
}

/** A number or a short text. */
type FolderId = string | number

interface Folder {
  name: string
  parent: FolderId | null
  isPrivate: boolean | null
}

/** Characters of the id of a folder. The ids of all folders are in memory, and a file can have ids of megabytes. */
const maxFolderId = 100

/** Reads the folders of a file, and finds the path of one by its id or its position. @throws MalformedFile */
async function readFolders(file: SourceFile, path: string, parentField: string, ...dropped: string[]) {
  const byId = new Map<FolderId, Folder>()
  const inOrder: Folder[] = []
  const depth = path.split('.').length - 1
  for await (const found of readJsonItems(file, [path, ...dropped])) {
    if (found.path.length !== depth) continue
    if (inOrder.length === maxFolders) throw new MalformedFile('The file has too many collections.')
    const value = asRecord(found.value)
    const folder = {
      name: cleanLine(value.name, limits.nameMax),
      parent: readFolderId(value[parentField]),
      isPrivate: typeof value.isPublic === 'boolean' ? !value.isPublic : null,
    }
    inOrder.push(folder)
    const id = readFolderId(value.id)
    if (id !== null) byId.set(id, folder)
  }
  const find = (id: FolderId | null) => (id === null ? undefined : byId.get(id))
  const readPath = (folder: Folder | undefined): string[] => {
    const names: string[] = []
    // A file can contain folders that contain each other.
    for (let at = folder; at !== undefined && names.length < maxFolderDepth; at = find(at.parent)) {
      names.unshift(at.name)
    }
    return names
  }
  return {
    find: (id: unknown): string[] => readPath(find(readFolderId(id))),
    at: (index: number) => {
      const folder = inOrder[index]
      return folder === undefined ? undefined : { path: readPath(folder), isPrivate: folder.isPrivate }
    },
  }
}

function readFolderId(value: unknown): FolderId | null {
  return typeof value === 'number' || (typeof value === 'string' && value.length <= maxFolderId)
    ? value
    : null
}

/** Tags are texts, or objects with a name. */
function readLabel(value: unknown): unknown {
  const { name, label, tag } = asRecord(value)
  return typeof value === 'string' ? value : (name ?? label ?? tag)
}
