/** The reply that contains a bookmark with its player. */
import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db } from '../../core/database/database.ts'
import type { Deps } from '../../core/deps.ts'
import { ApiError } from '../../core/http/errors.ts'
import { isNotTrashed } from '../../shared/visibility.ts'
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

/** The address of a bookmark that others did not see leads only its owner to one that they see: they would learn that it existed. */
async function readMergedBookmark(db: Db, id: number, viewer: Viewer | null): Promise<BookmarkRow | null> {
  const [merged] = await db<{ bookmark_id: number }[]>`
    select m.bookmark_id from merged_bookmarks m join bookmarks remaining on remaining.id = m.bookmark_id
     where m.id = ${id} and (m.is_for_same_viewers or remaining.user_id = ${viewer?.id ?? null}::bigint)
       and not exists (select from bookmarks restored where restored.id = m.id and ${isNotTrashed(db, 'restored')})`
  return merged === undefined ? null : readBookmark(db, merged.bookmark_id, viewer)
}
