/** Notes at a time in the video of a bookmark. Public ones are part of the bookmark and are read with it. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { TimedNote } from '@reelmark/contract/timed-notes.ts'
import type { Viewer } from '../../../core/auth/session.ts'
import type { Db, Fragment } from '../../../core/database/database.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { andNotBlockedByOwner } from '../../../shared/user-visibility.ts'
import { canSeeBookmark } from '../../../shared/visibility.ts'

function noteColumns(db: Db): Fragment {
  return db`n.id, n.seconds, n.text, n.access`
}

/** The public notes of bookmarks `b` as JSON, in the order of the video. */
export function publicNotesJson(db: Db): Fragment {
  return db`(select coalesce(json_agg(json_build_object('id', n.id, 'seconds', n.seconds, 'text', n.text)
                                      order by n.seconds, n.id), '[]')
               from timed_notes n where n.bookmark_id = b.id and n.user_id = b.user_id and n.access = 'public')`
}

/** Returns the clauses that select bookmark `b` and its video `v` if the viewer may see them: `from … where …`. */
function fromVisibleBookmark(db: Db, id: number, viewer: Viewer): Fragment {
  return db`from bookmarks b join videos v on v.id = b.video_id
    where b.id = ${id} and ${canSeeBookmark(db, viewer)} ${andNotBlockedByOwner(db, db`b.user_id`, viewer)}`
}

/** Returns the viewer's notes on a bookmark. @throws ApiError('not-found') if they may not see the bookmark */
export async function listOwnNotes(db: Db, bookmarkId: number, viewer: Viewer): Promise<TimedNote[]> {
  const rows = await db<TimedNote[]>`
    select ${noteColumns(db)}
      from (select b.id ${fromVisibleBookmark(db, bookmarkId, viewer)}) visible
      left join timed_notes n on n.bookmark_id = visible.id and n.user_id = ${viewer.id}
     order by n.seconds, n.id`
  if (rows.length === 0) throw new ApiError('not-found')
  return rows.filter(({ id }) => id !== null)
}

/**
 * Adds a note. Call it in a transaction: it locks the user, so that concurrent calls do not exceed the limit.
 * @throws ApiError('not-found') if the viewer may not see the bookmark, InvalidFields for a public note on another
 *   user's bookmark, a time after the end, or too many notes
 */
export async function insertNote(
  tx: Db,
  bookmarkId: number,
  viewer: Viewer,
  { seconds, text, access }: Pick<TimedNote, 'seconds' | 'text' | 'access'>,
): Promise<TimedNote> {
  await tx`select from users where id = ${viewer.id} for no key update`
  const [bookmark] = await tx<{ is_owner: boolean; duration: number | null; notes: number }[]>`
    select b.user_id = ${viewer.id} as is_owner, coalesce(b.duration, v.duration) as duration,
           (select count(*) from timed_notes n where n.bookmark_id = b.id and n.user_id = ${viewer.id}) as notes
      ${fromVisibleBookmark(tx, bookmarkId, viewer)}`
  if (bookmark === undefined) throw new ApiError('not-found')
  checkNote({ seconds, access }, bookmark)
  if (bookmark.notes >= limits.timedNotesMax) {
    throw new InvalidFields({ text: [`A bookmark can have ${limits.timedNotesMax} of your notes at most.`] })
  }
  const [note] = await tx<[TimedNote]>`
    insert into timed_notes as n (bookmark_id, user_id, seconds, text, access)
    values (${bookmarkId}, ${viewer.id}, ${seconds}, ${text}, ${access}) returning ${noteColumns(tx)}`
  return note
}

/**
 * Changes one of the viewer's notes.
 * @throws ApiError('not-found') if it is not theirs or they may not see the bookmark any more, InvalidFields for a public
 *   note on another user's bookmark or a time after the end
 */
export async function updateNote(
  tx: Db,
  id: number,
  viewer: Viewer,
  changes: Partial<Pick<TimedNote, 'seconds' | 'text' | 'access'>>,
): Promise<TimedNote> {
  const [current] = await tx<
    (TimedNote & { bookmark_id: number; is_owner: boolean; duration: number | null })[]
  >`
    select ${noteColumns(tx)}, n.bookmark_id, b.user_id = ${viewer.id} as is_owner,
           coalesce(b.duration, v.duration) as duration
      from timed_notes n join bookmarks b on b.id = n.bookmark_id join videos v on v.id = b.video_id
     where n.id = ${id} and n.user_id = ${viewer.id} and ${canSeeBookmark(tx, viewer)}
       ${andNotBlockedByOwner(tx, tx`b.user_id`, viewer)} for no key update of n`
  if (current === undefined) throw new ApiError('not-found')
  const { seconds, text, access } = { ...current, ...changes }
  checkNote({ access, seconds: changes.seconds ?? 0 }, current)
  const [note] = await tx<[TimedNote]>`
    update timed_notes n set seconds = ${seconds}, text = ${text}, access = ${access}, updated_at = now()
     where n.id = ${id} and n.user_id = ${viewer.id} returning ${noteColumns(tx)}`
  return note
}

function checkNote(
  { seconds, access }: Pick<TimedNote, 'seconds' | 'access'>,
  { is_owner, duration }: { is_owner: boolean; duration: number | null },
): void {
  if (access === 'public' && !is_owner) {
    throw new InvalidFields({ access: ['Only the owner of a bookmark can add public notes to it.'] })
  }
  if (duration !== null && seconds > duration) {
    throw new InvalidFields({ seconds: ['Must be a time within the video.'] })
  }
}

/** Deletes one of the viewer's notes. @throws ApiError('not-found') if it is not theirs */
export async function deleteNote(db: Db, id: number, viewer: Viewer): Promise<void> {
  const deleted = await db`delete from timed_notes where id = ${id} and user_id = ${viewer.id}`
  if (deleted.count === 0) throw new ApiError('not-found')
}
