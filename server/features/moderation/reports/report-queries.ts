/** Queries for creating and listing reports. */

import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import type { OwnReport, ReportType, TargetKind } from '@reelmark/contract/reports.ts'
import { hashOpaqueToken } from '../../../core/auth/hash-token.ts'
import type { Viewer } from '../../../core/auth/session.ts'
import type { Db, Fragment } from '../../../core/database/database.ts'
import { cursorKey, type PageRequest, timeOrderedPage } from '../../../core/http/cursor-paging.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { splitCount } from '../../../core/http/paging.ts'
import { canNameUser } from '../../../shared/profile-visibility.ts'
import { andNotBlockedByOwner } from '../../../shared/user-visibility.ts'
import {
  canSeeBookmark,
  canSeeVideo,
  isNotRemoved,
  isNotTrashed,
  isShownByLink,
  isShownVideo,
  isVisibleComment,
} from '../../../shared/visibility.ts'
import { publicTitle } from '../decisions/decision-queries.ts'
import { independentReporters, protectionDays, type Reporter, rejectedInRowMax } from './report-rules.ts'

/** The locked target of a report, with its current title or text. */
export interface ReportTarget {
  kind: TargetKind
  id: number
  video_id: number | null
  bookmark_id: number | null
  comment_id: number | null
  /** The owner; for a video, the owner of the bookmark that the reporter saw. */
  user_id: number | null
  /** The collection of the owner that the report is about. The reporter saw it by its secret link. */
  collection_id?: number
  snapshot: string
  /** The title that the owners read in the notification. */
  title: string
  is_visible: boolean
}

/**
 * Returns a video that the viewer may see, through the given bookmark or else the lead bookmark, or null if they may not
 * see it.
 * @param linkToken the token of the secret link through which the viewer saw the bookmark; null: not through a link
 */
export async function findReportableVideo(
  db: Db,
  videoId: number,
  bookmarkId: number | null,
  linkToken: string | null,
  viewer: Viewer,
): Promise<ReportTarget | null> {
  const isSeenByLink =
    linkToken === null || bookmarkId === null
      ? db`false`
      : db`exists (
          select from collection_links l join users linked on linked.id = b.user_id and linked.banned_at is null
           where l.collection_id = b.collection_id and l.hash = ${hashOpaqueToken(linkToken)} and ${isShownByLink(db)})`
  const [target] = await db<ReportTarget[]>`
    select 'video' as kind, v.id, v.id as video_id, b.id as bookmark_id, null as comment_id, b.user_id,
           coalesce(b.title, (select own.title from bookmarks own
                               where own.user_id = ${viewer.id} and own.video_id = v.id and ${isNotTrashed(db, 'own')}
                               order by own.id limit 1), v.host) as snapshot,
           ${publicTitle(db)} as title, ${isShownVideo(db)} as is_visible
      from videos v
      left join bookmarks b on b.video_id = v.id and b.id = coalesce(${bookmarkId}::bigint, v.lead_bookmark_id)
           and (${canSeeBookmark(db, viewer)} or ${isSeenByLink})
     where v.id = ${videoId}
       and (${isSeenByLink} or ${canSeeVideo(db, viewer.id, viewer.is_moderator)} and (${bookmarkId}::bigint is null or b.id is not null)
            -- A viewer whose own report hid it gets "already reported" instead of 404.
            or exists (select from reports r
                        where r.reporter_id = ${viewer.id} and r.target_kind = 'video' and r.target_id = v.id
                          and r.status = 'open'))
       for no key update of v`
  return target ?? null
}

/** Returns a comment on a video that the viewer may see, or null. */
export async function findReportableComment(
  db: Db,
  id: number,
  viewer: Viewer,
): Promise<ReportTarget | null> {
  // The video is locked first, in the same order as when comments are counted.
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

/** Returns a user who can be reported by the viewer, or null. */
export async function findReportableUser(db: Db, id: number, viewer: Viewer): Promise<ReportTarget | null> {
  const [target] = await db<ReportTarget[]>`
    select 'user' as kind, u.id, null as video_id, null as bookmark_id, null as comment_id, u.id as user_id,
           u.username as snapshot, u.username as title, true as is_visible
      from users u
     where u.id = ${id} and u.banned_at is null and ${canNameUser(db, viewer)} ${andNotBlockedByOwner(db, db`u.id`, viewer)}`
  return target ?? null
}

/** Returns the target of a report about the collection of a secret link: its owner. Null for an unknown link. */
export async function findReportableCollection(db: Db, linkToken: string): Promise<ReportTarget | null> {
  const [target] = await db<ReportTarget[]>`
    select 'user' as kind, u.id, null as video_id, null as bookmark_id, null as comment_id, u.id as user_id,
           c.id as collection_id, c.name as snapshot, u.username as title, true as is_visible
      from collection_links l join collections c on c.id = l.collection_id join users u on u.id = c.user_id
     where l.hash = ${hashOpaqueToken(linkToken)} and u.banned_at is null`
  return target ?? null
}

/** Reports `r` that are no proposals. Only they count for the standing of reporters and the protection of targets. */
export function isComplaint(db: Db, alias = 'r'): Fragment {
  return db`${db(alias)}.report_type <> 'replace_link'`
}

/** Condition on users `u`: the latest three decided reports were all rejected. */
function isOftenRejected(db: Db): Fragment {
  return db`(select count(*) = ${rejectedInRowMax} and bool_and(latest.status = 'rejected')
               from (select r.status from reports r where r.reporter_id = u.id and r.decided_at is not null and ${isComplaint(db)}
                      order by r.decided_at desc, r.id desc limit ${rejectedInRowMax}) latest)`
}

/** Returns what determines the standing of a reporter. */
export async function readReporter(db: Db, { id, is_moderator, account_age }: Viewer): Promise<Reporter> {
  const [reporter] = await db<[Omit<Reporter, 'is_moderator' | 'account_age'>]>`
    select u.email_confirmed_at is not null as has_confirmed_email,
           exists (select from reports r where r.reporter_id = u.id and r.status = 'approved' and ${isComplaint(db)}) as has_approved_report,
           ${isOftenRejected(db)} as is_often_rejected
      from users u where u.id = ${id}`
  return { ...reporter, is_moderator, account_age }
}

/** Returns whether a moderator rejected a report of the target, or restored it, in the last thirty days. */
export async function isProtected(db: Db, { kind, id }: Pick<ReportTarget, 'kind' | 'id'>): Promise<boolean> {
  const since = db`now() - make_interval(days => ${protectionDays})`
  const [row] = await db<[{ is_protected: boolean }]>`
    select exists (select from reports r where target_kind = ${kind} and target_id = ${id}
                      and status = 'rejected' and decided_at > ${since} and ${isComplaint(db)})
        or exists (select from moderation_decisions where target_kind = ${kind} and target_id = ${id}
                      and action in ('show', 'restore') and created_at > ${since}) as is_protected`
  return row.is_protected
}

/**
 * Returns whether the open reports of a target come from three independent reporters: different users with confirmed
 * e-mail addresses in different networks, whose latest reports were not all rejected.
 */
export async function hasIndependentReporters(
  db: Db,
  { kind, id }: Pick<ReportTarget, 'kind' | 'id'>,
): Promise<boolean> {
  const [row] = await db<[{ is_reached: boolean }]>`
    select count(distinct r.network) >= ${independentReporters} as is_reached
      from reports r join users u on u.id = r.reporter_id
     where r.target_kind = ${kind} and r.target_id = ${id} and r.status = 'open' and ${isComplaint(db)}
       and u.email_confirmed_at is not null and not ${isOftenRejected(db)}`
  return row.is_reached
}

/** Records that a report hides its target. */
export async function markAsHiding(db: Db, reportId: number): Promise<void> {
  await db`update reports set did_hide = true where id = ${reportId}`
}

export interface NewReport {
  /** Null for a report by the site itself. */
  reporter_id: number | null
  report_type: ReportType
  notes: string
  suggested_orientation: Orientation | null
  /** Whether the report hides its target. */
  did_hide: boolean
  /** The network of the reporter. */
  network?: string
}

/** Inserts a report and returns its id. @throws ApiError('already-reported') with the reporter's open `report_id`. */
export async function insertReport(
  db: Db,
  target: Omit<ReportTarget, 'title' | 'is_visible'>,
  report: NewReport,
): Promise<number> {
  const { kind, id, video_id, bookmark_id, comment_id, user_id, collection_id = null, snapshot } = target
  const row = {
    target_kind: kind,
    target_id: id,
    video_id,
    bookmark_id,
    comment_id,
    user_id,
    collection_id,
    snapshot,
    ...report,
  }
  const [created] = await db<{ id: number }[]>`
    insert into reports ${db(row)}
    on conflict (reporter_id, target_kind, target_id) where status = 'open' do nothing returning id`
  if (created !== undefined) return created.id
  const [existing] = await db<{ id: number }[]>`
    select id from reports
     where reporter_id = ${report.reporter_id} and target_kind = ${kind} and target_id = ${id} and status = 'open'`
  throw new ApiError('already-reported', { report_id: existing?.id ?? null })
}

export interface OwnReportRow extends OwnReport {
  key: number
}

/** Returns a page of a user's own reports, and how many there are. One statement. */
export async function listOwnReports(
  db: Db,
  userId: number,
  part: PageRequest,
): Promise<{ rows: OwnReportRow[]; count: number }> {
  const time: Fragment = db`r.created_at`
  const rows = await db<(OwnReportRow & { count: number })[]>`
    with total as (select count(*) as count from reports where reporter_id = ${userId})
    select total.count, page.* from total left join (
      select r.id, r.target_kind, r.report_type, r.status, r.snapshot, r.created_at, r.decided_at,
             ${cursorKey(db, time)} as key
        from reports r where r.reporter_id = ${userId} ${timeOrderedPage(db, part, time, db`r.id`)}) page on true
     order by page.created_at desc, page.id desc`
  const { count, results } = splitCount(rows)
  return { count, rows: results }
}
