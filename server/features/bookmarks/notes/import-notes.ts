/** Adds the notes of an import to the user's own bookmarks. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { TimedNote } from '@reelmark/contract/timed-notes.ts'
import type { Db } from '../../../core/database/database.ts'
import { InvalidFields } from '../../../core/http/errors.ts'
import { isNotTrashed } from '../../../shared/visibility.ts'
import { type CompiledRules, screenContent } from '../../moderation/public-api.ts'

interface NoteImport extends Omit<TimedNote, 'id'> {
  index: number
  /** Null: the user may not see the video. */
  video_id: number | null
  created_at: string
}

export type NoteOutcome =
  /** `is_withheld`: it is public in the file, and private because a content rule matches it. */
  | { outcome: 'added'; id: number; is_withheld: boolean }
  /** The bookmark has it already, the user has no bookmark of the video, or too many notes on it. */
  | { outcome: 'duplicate' | 'missing' | 'too-many' }

/**
 * Adds notes to the earliest own bookmark of their video, and returns the outcome of each. A public note that a content rule
 * matches becomes private.
 */
export async function importNotes(
  tx: Db,
  rules: CompiledRules,
  userId: number,
  notes: readonly NoteImport[],
): Promise<NoteOutcome[]> {
  await tx`select from users where id = ${userId} for no key update`
  const screened = notes.map((note) =>
    isAllowed(rules, note)
      ? { ...note, is_withheld: false }
      : { ...note, access: 'private', is_withheld: true },
  )
  const rows = await tx<(NoteOutcome & { index: number })[]>`
    with records as (
      select r.*, own.id as bookmark_id,
             exists (select from timed_notes n where n.bookmark_id = own.id and n.user_id = ${userId}
                        and n.seconds = r.seconds and n.text = r.text) as is_duplicate
        from json_to_recordset(${JSON.stringify(screened)}::text::json)
               as r (index int, video_id bigint, seconds int, text text, access text, is_withheld boolean,
                     created_at timestamptz)
        left join lateral (
          select b.id from bookmarks b where b.user_id = ${userId} and b.video_id = r.video_id and ${isNotTrashed(tx)}
           order by b.id limit 1) own on true
    ), numbered as (
      select index, bookmark_id, seconds, text, access, created_at,
             nextval(pg_get_serial_sequence('timed_notes', 'id')) as id,
             row_number() over (partition by bookmark_id order by index)
               + (select count(*) from timed_notes n where n.bookmark_id = records.bookmark_id and n.user_id = ${userId})
               as number
        from records where bookmark_id is not null and not is_duplicate
    ), added as (
      insert into timed_notes (id, bookmark_id, user_id, seconds, text, access, created_at, updated_at)
             overriding system value
      select id, bookmark_id, ${userId}, seconds, text, access, created_at, created_at
        from numbered where number <= ${limits.timedNotesMax}
    )
    select r.index, case when r.bookmark_id is null then 'missing' when r.is_duplicate then 'duplicate'
                         when n.number <= ${limits.timedNotesMax} then 'added' else 'too-many' end as outcome,
           n.id, r.is_withheld
      from records r left join numbered n on n.index = r.index`
  const byIndex = new Map(rows.map(({ index, ...outcome }) => [index, outcome]))
  return notes.map(({ index }) => byIndex.get(index) ?? { outcome: 'missing' })
}

/** Returns whether no content rule matches a public note. */
function isAllowed(rules: CompiledRules, { access, text }: NoteImport): boolean {
  if (access === 'private') return true
  try {
    return screenContent(rules, [{ field: 'text', text }]) === null
  } catch (error) {
    if (!(error instanceof InvalidFields)) throw error
    return false
  }
}
