/** Writes the file of an export that contains only bookmarks, in a format that other programs read. */
import type { Viewer } from '../../core/auth/session.ts'
import type { Db } from '../../core/database/database.ts'
import {
  countBookmarks,
  type PicturedBookmark,
  readBookmarksOf,
  readFolders,
  readSmartBookmarks,
  readSmartFolder,
} from './bookmark-file-rows.ts'
import { type BookmarkFileFormat, csv, csvWithPictures, netscapeHtml } from './bookmark-files.ts'
import type { ExportClaim } from './export-queries.ts'
import { batchSize, readBatches } from './export-rows.ts'
import type { FileWriter } from './write-export.ts'

type FormatName = Exclude<ExportClaim['format'], 'json'>

function findFormat({ format, with_pictures }: BookmarkFileClaim): BookmarkFileFormat {
  if (format === 'html') return netscapeHtml
  return with_pictures ? csvWithPictures : csv
}

type BookmarkFileClaim = ExportClaim & { format: FormatName }

/** Writes everything, a collection with its channels, or what a smart collection finds. */
export async function writeBookmarkFile(
  tx: Db,
  claim: BookmarkFileClaim,
  createFile: (total: number) => FileWriter,
): Promise<void> {
  const format = findFormat(claim)
  if (claim.smart_collection_id !== null) {
    return writeSmartCollection(tx, claim, claim.smart_collection_id, format, createFile)
  }
  const { user_id, collection_id } = claim
  const file = createFile(await countBookmarks(tx, user_id, collection_id))
  await file.report(0)
  const writeBookmark = bookmarkWriter(file, format, claim)
  await file.write(format.begin())
  const writeBookmarks = async (container: Parameters<typeof readBookmarksOf>[2]) => {
    const batches = readBatches((after) => readBookmarksOf(tx, user_id, container, after, batchSize))
    for await (const rows of batches) {
      for (const row of rows) await writeBookmark(row)
      if (rows.length > 0) await file.report(rows.length)
    }
  }
  for await (const collection of readFolders(tx, user_id, collection_id)) {
    await file.write(format.openFolder(collection))
    await writeBookmarks({ collection_id: collection.id })
    for (const channel of collection.channels) {
      await file.write(format.openFolder(channel))
      await writeBookmarks({ channel_id: channel.id })
      await file.write(format.closeFolder())
    }
    await file.write(format.closeFolder())
  }
  await file.write(format.end())
  await file.finish()
}

async function writeSmartCollection(
  tx: Db,
  claim: ExportClaim,
  id: number,
  format: BookmarkFileFormat,
  createFile: (total: number) => FileWriter,
): Promise<void> {
  const { user_id, username } = claim
  const folder = await readSmartFolder(tx, user_id, id)
  if (folder === null) return
  let file: FileWriter | null = null
  for await (const { total, bookmarks } of readSmartBookmarks(tx, asViewer(user_id, username), id)) {
    if (file === null) {
      file = createFile(total)
      await file.report(0)
      await file.write(format.begin() + format.openFolder(folder))
    }
    const writeBookmark = bookmarkWriter(file, format, claim)
    for (const bookmark of bookmarks) await writeBookmark(bookmark)
    await file.report(bookmarks.length)
  }
  await file?.write(format.closeFolder() + format.end())
  await file?.finish()
}

/** Returns a function that writes a bookmark, and adds its picture to the export if that has pictures. */
function bookmarkWriter(file: FileWriter, format: BookmarkFileFormat, { with_pictures }: ExportClaim) {
  return (bookmark: PicturedBookmark): Promise<void> => {
    const picture = with_pictures ? file.addPicture(bookmark.id, bookmark.picture_key) : null
    return file.write(format.bookmark({ ...bookmark, picture }))
  }
}

/** Returns the viewer that a user is on a page of their own; a job has no session. Moderators get no additional rights. */
function asViewer(id: number, username: string): Viewer {
  return {
    id,
    username,
    is_moderator: false,
    needs_second_factor: false,
    is_owner: false,
    session_id: null,
    scopes: ['read'],
    recently_authenticated: false,
    // The queries look up which blocks, mutes and followed lists exist.
    has_blocks_or_mutes: true,
    follows_lists: true,
    former_usernames: [],
    has_held_comments: false,
    account_age: 0,
    suspended_until: null,
    last_change: 0,
  }
}
