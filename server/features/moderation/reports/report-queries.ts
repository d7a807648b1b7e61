/** Reports as they come in. */
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import type { OwnReport, ReportType, TargetKind } from '@reelmark/contract/reports.ts'
import type { Db, Fragment } from '../../../core/database/database.ts'
import { cursorKey, type PageRequest, timeOrderedPage } from '../../../core/http/cursor-paging.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { andNotBlockedByOwner, type VisibilityViewer } from '../../../shared/user-visibility.ts'
import {
  canSeeBookmark,
  canSeeVideo,
  isKept,
  isNotRemoved,
  isShownVideo,
  isVisibleComment,
} from '../../../shared/visibility.ts'
import { publicTitle } from '../decisions/decision-queries.ts'
import { type ReporterStanding, standingWindow } from './report-rules.ts'

/** What is reported, locked; as it is called or says now. */
export interface ReportTarget {
  kind: TargetKind
  id: number
  video_id: number | null
  bookmark_id: number | null
  comment_id: number | null
  /** Whose it is; of a video, whose bookmark of it was looked at. */
  user_id: number | null
  snapshot: string
  /** What those whose it is are told that it is called. */
  title: string
  is_visible: boolean
}

/** A video that somebody may see, by the bookmark they looked at or else its lead. Null: it is not there for them. */
export async function findReportableVideo(
  db: Db,
  videoId: number,
  bookmarkId: number | null,
  viewer: VisibilityViewer,
): Promise<ReportTarget | null> {
  const [target] = await db<ReportTarget[]>`
    select 'video' as kind, v.id, v.id as video_id, b.id as bookmark_id, null as comment_id, b.user_id,
           coalesce(b.title, (select own.title from bookmarks own
                               where own.user_id = ${viewer.id} and own.video_id = v.id and ${isKept(db, 'own')}
                               order by own.id limit 1), v.host) as snapshot,
           ${publicTitle(db)} as title, ${isShownVideo(db)} as is_visible
      from videos v
      left join bookmarks b on b.video_id = v.id and b.id = coalesce(${bookmarkId}::bigint, v.lead_bookmark_id)
           and ${canSeeBookmark(db, viewer)}
     where v.id = ${videoId}
       and (${canSeeVideo(db, viewer.id, viewer.is_moderator)} and (${bookmarkId}::bigint is null or b.id is not null)
            -- They hid it themselves: who reports twice is told so.
            or exists (select from reports r
                        where r.reporter_id = ${viewer.id} and r.target_kind = 'video' and r.target_id = v.id
                          and r.status = 'open'))
       for no key update of v`
  return target ?? null
}

/** A comment on a video that somebody may see. */
export async function findReportableComment(
  db: Db,
  id: number,
  viewer: VisibilityViewer,
): Promise<ReportTarget | null> {
  // The video first, as whoever counts comments locks it.
  await db`
    select from videos where id = (select video_id from comments where id = ${id}) for no key update`
  const [target] = await db<ReportTarget[]>`
    select 'comment' as kind, c.id, c.video_id, null as bookmark_id, c.id as comment_id, c.user_id,
           c.content as snapshot, c.content as title, ${isVisibleComment(db)} as is_visible
      from comments c join videos v on v.id = c.video_id
     where c.id = ${id} and ${isNotRemoved(db, 'c')}
       and (${canSeeVideo(db, viewer.id, viewer.is_moderator)} and (${isVisibleComment(db)} or ${viewer.is_moderator})
            or exists (select from reports r
                        where r.reporter_id = ${viewer.id} and r.target_kind = 'comment' and r.target_id = c.id
                          and r.status = 'open'))
       for no key update of c`
  return target ?? null
}

export async function findReportableUser(
  db: Db,
  id: number,
  viewer: VisibilityViewer,
): Promise<ReportTarget | null> {
  const [target] = await db<ReportTarget[]>`
    select 'user' as kind, u.id, null as video_id, null as bookmark_id, null as comment_id, u.id as user_id,
           u.username as snapshot, u.username as title, true as is_visible
      from users u
     where u.id = ${id} and u.banned_at is null ${andNotBlockedByOwner(db, db`u.id`, viewer)}`
  return target ?? null
}

/** How somebody's latest decided reports were decided. */
export async function readStanding(db: Db, userId: number): Promise<ReporterStanding> {
  const [standing] = await db<[ReporterStanding]>`
    select count(*) filter (where status = 'approved') as approved,
           count(*) filter (where status = 'rejected') as rejected
      from (select status from reports where reporter_id = ${userId} and decided_at is not null
             order by decided_at desc limit ${standingWindow}) latest`
  return standing
}

export interface NewReport {
  /** Null: the site itself. */
  reporter_id: number | null
  report_type: ReportType
  notes: string
  suggested_orientation: Orientation | null
  hid: boolean
}

/** Writes a report down. @throws ApiError('already-reported') with `report_id`, of one's own that is open. */
export async function insertReport(
  db: Db,
  target: Omit<ReportTarget, 'title' | 'is_visible'>,
  report: NewReport,
): Promise<number> {
  const { kind, id, video_id, bookmark_id, comment_id, user_id, snapshot } = target
  const row = {
    target_kind: kind,
    target_id: id,
    video_id,
    bookmark_id,
    comment_id,
    user_id,
    snapshot,
    ...report,
  }
  const [created] = await db<{ id: number }[]>`
    insert into reports ${db(row)}
    on conflict (reporter_id, target_kind, target_id) where status = 'open' do nothing returning id`
  if (created !== undefined) return created.id
  const [there] = await db<{ id: number }[]>`
    select id from reports
     where reporter_id = ${report.reporter_id} and target_kind = ${kind} and target_id = ${id} and status = 'open'`
  throw new ApiError('already-reported', { report_id: there?.id ?? null })
}

export interface OwnReportRow extends OwnReport {
  key: number
}

/** A part of somebody's own reports, and how many there are. One statement. */
export async function listOwnReports(
  db: Db,
  userId: number,
  part: PageRequest,
): Promise<{ rows: OwnReportRow[]; count: number }> {
  const time: Fragment = db`r.created_at`
  const rows = await db<(OwnReportRow & { count: number })[]>`
    with whole as (select count(*) as count from reports where reporter_id = ${userId})
    select whole.count, page.* from whole left join (
      select r.id, r.target_kind, r.report_type, r.status, r.snapshot, r.created_at, r.decided_at,
             ${cursorKey(db, time)} as key
        from reports r where r.reporter_id = ${userId} ${timeOrderedPage(db, part, time, db`r.id`)}) page on true
     order by page.created_at desc, page.id desc`
  return { count: rows[0]?.count ?? 0, rows: rows.filter(({ id }) => id !== null) }
}
