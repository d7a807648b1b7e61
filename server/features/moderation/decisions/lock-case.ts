/** Locks what a decision about a report changes. */

import type { DecisionResult } from '@reelmark/contract/decisions.ts'
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import type { ReportType, TargetKind } from '@reelmark/contract/reports.ts'
import type { Db } from '../../../core/database/database.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { isOfHeldBookmark } from '../cases/case-queries.ts'
import { reportRules } from '../reports/report-rules.ts'
import { orientationOfVideo, publicTitle } from './decision-queries.ts'

type TargetState = DecisionResult['state']

export interface OpenReport {
  id: number
  report_type: ReportType
  did_hide: boolean
  bookmark_id: number | null
  user_id: number | null
  /** Whether the report is about a bookmark held by a content rule. The decision is about that bookmark, not the video. */
  is_held: boolean
}

/** The target of a report, locked together with its open reports, so that concurrent decisions wait. */
export interface LockedCase {
  kind: TargetKind
  id: number
  video_id: number | null
  /** The owner; null for a video, which belongs to everyone who saved it. */
  owner_id: number | null
  title: string
  state: TargetState
  orientation: Orientation | null
  open: OpenReport[]
  /** The report that the decision names. */
  named: OpenReport
}

/**
 * Locks and returns the case of a report.
 * @throws ApiError('not-found'); ('already-decided') with the `status` of the report.
 */
export async function lockCase(db: Db, reportId: number): Promise<LockedCase> {
  const [report] = await db<
    { target_kind: TargetKind; target_id: number; video_id: number | null; report_type: ReportType }[]
  >`
    select target_kind, target_id, video_id, report_type from reports where id = ${reportId}`
  if (report === undefined) throw new ApiError('not-found')
  const { target_kind: kind, target_id: id, video_id, report_type } = report
  if (reportRules[report_type].isPermanent) await lockReportedUser(db, kind, id)
  if (kind === 'video') await lockHeldBookmarks(db, id)
  const target = await lockTarget(db, kind, id, video_id)
  const open = await db<OpenReport[]>`
    select id, report_type, did_hide, bookmark_id, user_id,
           ${isOfHeldBookmark(db)} as is_held
      from reports r
     where target_kind = ${kind} and target_id = ${id} and status = 'open' order by id for update`
  const named = open.find((report) => report.id === reportId)
  if (named === undefined) {
    const [decided] = await db<{ status: string }[]>`select status from reports where id = ${reportId}`
    throw new ApiError('already-decided', { status: decided?.status })
  }
  return { kind, id, video_id, ...target, open: [...open], named }
}

/** Locks the users whom an approval may ban. Users come first in the lock order. */
async function lockReportedUser(db: Db, kind: TargetKind, id: number): Promise<void> {
  await db`
    select from users where id in (select r.user_id from reports r
                                    where r.target_kind = ${kind} and r.target_id = ${id} and r.status = 'open')
     order by id for no key update`
}

/** Locks the bookmarks held until a decision about a video. They come before the video in the lock order. */
async function lockHeldBookmarks(db: Db, videoId: number): Promise<void> {
  const held = await db<{ id: number }[]>`
    select b.id from reports r join bookmarks b on b.id = r.bookmark_id and b.hold_reason is not null
     where r.target_kind = 'video' and r.target_id = ${videoId} and r.status = 'open'`
  if (held.length > 0) await db`select lock_bookmarks(${held.map(({ id }) => id)}::bigint[])`
}

type LockedTarget = Pick<LockedCase, 'owner_id' | 'title' | 'state' | 'orientation'>

/** Locks the target and returns its state. In lock order: the video, then the comment. */
async function lockTarget(
  db: Db,
  kind: TargetKind,
  id: number,
  videoId: number | null,
): Promise<LockedTarget> {
  const removed: LockedTarget = { owner_id: null, title: '', state: 'deleted', orientation: null }
  if (kind === 'user') {
    const [user] = await db<LockedTarget[]>`
      select id as owner_id, username as title, case when banned_at is null then 'visible' else 'removed' end as state,
             null as orientation
        from users where id = ${id} for no key update`
    return user ?? removed
  }
  const [video] = await db<LockedTarget[]>`
    select null as owner_id, ${publicTitle(db)} as title, v.status as state, ${orientationOfVideo(db)} as orientation
      from videos v
     where v.id = ${videoId} for no key update`
  if (kind === 'video') return video ?? removed
  const [comment] = await db<LockedTarget[]>`
    select user_id as owner_id, content as title, status as state, null as orientation
      from comments where id = ${id} for no key update`
  return comment ?? removed
}
