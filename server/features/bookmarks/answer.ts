/** The whole bookmark as it is answered: with its player. */
import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import type { Deps } from '../../app.ts'
import type { Db } from '../../core/database.ts'
import { ApiError } from '../../core/errors.ts'
import { secretKey } from '../../core/secrets.ts'
import type { Viewer } from '../../core/session.ts'
import { readBookmark } from './cards.ts'
import { withPlayer } from './players.ts'

/** @throws ApiError('not-found') where there is none or it is not the viewer's to see. */
export async function answerBookmark(
  deps: Deps,
  db: Db,
  id: number,
  viewer: Viewer | null,
): Promise<Bookmark> {
  const key = await embedKey(deps)
  const row = await readBookmark(db, id, viewer)
  if (row === null) throw new ApiError('not-found')
  return withPlayer(row, { key, now: Date.now(), parentHost: new URL(deps.settings.publicUrl).hostname })
}

/**
 * Read once per process. Whoever answers inside a transaction asks for it before: where every connection is in one,
 * none is left to read it by.
 */
export function embedKey({ db }: Deps) {
  return secretKey(db, 'embed-page')
}
