/** Rulings: what a moderator decides about a video for everyone who saved it or saves it later. */

import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import type { DecisionAction } from '@reelmark/contract/reports.ts'
import type { Db } from '../../../core/database/database.ts'
import type { Jobs } from '../../../core/database/jobs.ts'
import { InvalidFields } from '../../../core/http/errors.ts'
import { isMissing } from '../../../shared/missing-videos.ts'
import { isVisibleVideo } from '../../../shared/visibility.ts'
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

/** Moves the bookmarks (server/features/bookmarks/replace-link). Runs every minute, and at once if it is sent. */
export const replaceLinksJob = { name: 'replace-links' }

/**
 * Has a job move the bookmarks of a video that is gone to the proposed link.
 * @throws InvalidFields if the video is not gone any more, has no public bookmark, or got another link already
 */
export async function replaceLink(db: Db, jobs: Jobs, { named, title }: LockedCase): Promise<Ruling> {
  const [link] = await db<{ before: string; after: string }[]>`
    update link_replacements r set agreed_at = now()
      from videos v join bookmarks b on b.id = v.lead_bookmark_id
     where r.report_id = ${named.id} and v.id = r.video_id and ${isVisibleVideo(db)} and ${isMissing(db)}
       and not exists (select from link_replacements other
                        where other.video_id = r.video_id and other.agreed_at is not null and other.moved_at is null
                          and other.undone_at is null)
    returning v.source_url as before, r.source_url as after`
  if (link === undefined) {
    throw new InvalidFields({
      report_id: ["This video isn't gone any more, or its link was replaced already."],
    })
  }
  await jobs.send(db, replaceLinksJob, {})
  const { before, after } = link
  return { action: 'replace_link', title, before: { source_url: before }, after: { source_url: after } }
}

/** Has the job move the bookmarks back, except those whose owners changed their link since. */
export async function undoReplacement(db: Db, jobs: Jobs, decisionId: number): Promise<void> {
  await db`
    update link_replacements set undone_at = now()
     where report_id in (select id from reports where decision_id = ${decisionId} and status = 'approved')
       and agreed_at is not null and undone_at is null`
  await jobs.send(db, replaceLinksJob, {})
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
