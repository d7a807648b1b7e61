/** Reports that the site itself makes, for other areas. */
import type { ReportType } from '@reelmark/contract/reports.ts'
import type { Db } from '../../../core/database/database.ts'
import { isNotRemoved, isShownVideo } from '../../../shared/visibility.ts'
import { insertReport } from './report-queries.ts'

/** Why content is held, as the moderators read it. */
export interface HoldReason {
  report_type: ReportType
  notes: string
}

/** Reports a comment that a content rule holds, with its current text; updates the open report if there is one. */
export async function reportHeldComment(
  db: Db,
  comment: { id: number; video_id: number; user_id: number; content: string },
  { report_type, notes }: HoldReason,
): Promise<void> {
  const { id, video_id, user_id, content: snapshot } = comment
  const changed = await db`
    update reports set notes = ${notes}, snapshot = ${snapshot}
     where target_kind = 'comment' and target_id = ${id} and reporter_id is null and status = 'open'`
  if (changed.count > 0) return
  const target = { kind: 'comment', id, video_id, bookmark_id: null, comment_id: id, user_id } as const
  await insertReport(
    db,
    { ...target, snapshot },
    { reporter_id: null, report_type, notes, suggested_orientation: null, did_hide: true },
  )
}

/** Reports a user for their name, bio or collection names. Hides nothing. Does nothing while the same report is open. */
export async function reportHeldUser(db: Db, userId: number, notes: string): Promise<void> {
  await db`
    insert into reports (target_kind, target_id, user_id, report_type, notes, snapshot)
    select 'user', u.id, u.id, 'request_moderation', ${notes}, u.username from users u
     where u.id = ${userId}
       and not exists (select from reports r
                        where r.target_kind = 'user' and r.target_id = u.id and r.reporter_id is null
                          and r.status = 'open' and r.notes = ${notes})`
}

/**
 * Hides and reports a video whose thumbnail, or that of a bookmark of it, is similar to a refused picture. Returns false
 * and does nothing while such a report is open.
 */
export async function reportRefusedPicture(
  db: Db,
  videoId: number,
  reportedBookmarkId: number | null,
): Promise<boolean> {
  const [video] = await db<{ title: string; bookmark_id: number | null; user_id: number | null }[]>`
    select coalesce(b.title, v.host) as title, b.id as bookmark_id, b.user_id
      from videos v left join bookmarks b on b.id = coalesce(${reportedBookmarkId}::bigint, v.lead_bookmark_id)
     where v.id = ${videoId} and ${isNotRemoved(db)} for no key update of v`
  if (video === undefined) return false
  const waiting = await db`
    select from reports where target_kind = 'video' and target_id = ${videoId} and reporter_id is null
       and report_type = 'minors' and status = 'open'`
  if (waiting.count > 0) return false
  const { title: snapshot, bookmark_id, user_id } = video
  const target = {
    kind: 'video',
    id: videoId,
    video_id: videoId,
    bookmark_id,
    comment_id: null,
    user_id,
  } as const
  await insertReport(
    db,
    { ...target, snapshot },
    {
      reporter_id: null,
      report_type: 'minors',
      suggested_orientation: null,
      did_hide: true,
      notes: 'Its thumbnail closely matches one that was permanently blocked.',
    },
  )
  await db`update videos v set status = 'hidden' where id = ${videoId} and ${isShownVideo(db)}`
  return true
}
