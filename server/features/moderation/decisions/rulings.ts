/** Rulings: what a moderator decides about a video for everyone who saved it or saves it later. */

import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import type { DecisionAction } from '@reelmark/contract/reports.ts'
import type { Db } from '../../../core/database/database.ts'
import { InvalidFields } from '../../../core/http/errors.ts'
import type { LockedCase } from './lock-case.ts'

/** What a ruling changed, for the decision about it and the audit log. */
export interface Ruling {
  action: DecisionAction
  /** The title of the video in the decision, which all savers read. */
  title: string
  before: Record<string, unknown>
  after: Record<string, unknown>
}

/** @throws InvalidFields if the moderator chose no orientation. */
export async function setOrientation(
  db: Db,
  { id, title, orientation: before }: LockedCase,
  orientation: Orientation | null,
): Promise<Ruling> {
  if (orientation === null) throw new InvalidFields({ orientation: ['This field is required.'] })
  await db`
    update videos set orientation_ruling = ${orientation}, updated_at = now()
     where id = ${id} and orientation_ruling is distinct from ${orientation}`
  return { action: 'set_orientation', title, before: { orientation: before }, after: { orientation } }
}

/** Makes a video link-only: triggers remove title and picture of the video and all its bookmarks, also of later saves. */
export async function removeTitleAndPicture(db: Db, { id, title }: LockedCase): Promise<Ruling> {
  const [video] = await db<{ host: string }[]>`
    update videos set is_link_only = true, updated_at = now() where id = ${id} returning host`
  const host = video?.host ?? ''
  return { action: 'remove_title_and_picture', title: host, before: { title }, after: { title: host } }
}

/**
 * Undoes an orientation ruling: the previous ruling applies again, or without one each owner's choice. A ruling that
 * another replaced since has no effect to undo.
 */
export async function undoOrientation(db: Db, decisionId: number, videoId: number): Promise<void> {
  await db`
    update videos v
       set orientation_ruling = (
             select r.orientation from moderation_decisions d join reports r on r.decision_id = d.id
              where d.target_kind = 'video' and d.target_id = v.id and d.action = 'set_orientation'
                and d.undone_at is null
              order by d.id desc limit 1)
     where v.id = ${videoId}
       and v.orientation_ruling in (select orientation from reports where decision_id = ${decisionId})`
}

/** Shows the owners' titles again, unless another decision removed them, too. Pictures return with the next save. */
export async function restoreTitles(db: Db, videoId: number): Promise<void> {
  await db`
    update videos v set is_link_only = false, updated_at = now()
     where v.id = ${videoId} and v.is_link_only
       and not exists (select from moderation_decisions d
                        where d.target_kind = 'video' and d.target_id = v.id
                          and d.action = 'remove_title_and_picture' and d.undone_at is null)`
}
