/** The reply that contains a bookmark with its player. */
import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db } from '../../core/database/database.ts'
import type { Deps } from '../../core/deps.ts'
import { ApiError } from '../../core/http/errors.ts'
import { addPlayer } from './player/player.ts'
import { type BookmarkRow, readBookmark } from './read-bookmark.ts'

/** Returns a bookmark for the response. @throws ApiError('not-found') if the viewer may not see it. */
export async function loadBookmarkReply(
  deps: Deps,
  db: Db,
  id: number,
  viewer: Viewer | null,
): Promise<Bookmark> {
  const row = await readBookmark(db, id, viewer)
  if (row === null) throw new ApiError('not-found')
  return replyWithPlayer(deps, row)
}

/** Returns a bookmark with its player. */
export function replyWithPlayer(deps: Deps, row: BookmarkRow): Bookmark {
  return addPlayer(row, {
    key: deps.serverKeys['embed-page'],
    now: Date.now(),
    parentHost: new URL(deps.settings.publicUrl).hostname,
  })
}

/** As `loadBookmarkReply`. For a bookmark that was merged with another one of its owner, returns that one. */
export async function loadCurrentBookmark(
  deps: Deps,
  db: Db,
  id: number,
  viewer: Viewer | null,
): Promise<Bookmark> {
  const row = (await readBookmark(db, id, viewer)) ?? (await readMergedBookmark(db, id, viewer))
  if (row === null) throw new ApiError('not-found')
  return replyWithPlayer(deps, row)
}

async function readMergedBookmark(db: Db, id: number, viewer: Viewer | null): Promise<BookmarkRow | null> {
  const [merged] = await db<
    { bookmark_id: number }[]
  >`select bookmark_id from merged_bookmarks where id = ${id}`
  return merged === undefined ? null : readBookmark(db, merged.bookmark_id, viewer)
}
