import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import { createReport, listOwnReports, type ReportReceipt } from '@reelmark/contract/reports.ts'
import type { FastifyInstance } from 'fastify'
import type { Viewer } from '../../../core/auth/session.ts'
import type { Db } from '../../../core/database/database.ts'
import type { Jobs } from '../../../core/database/jobs.ts'
import { cursorPage, parsePageRequest } from '../../../core/http/cursor-paging.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { insertDecision, setTargetStatus } from '../decisions/decision-queries.ts'
import * as reporting from './report-queries.ts'
import { hidesImmediately, reportProblems } from './report-rules.ts'

export function registerReports(app: FastifyInstance): void {
  const { db, jobs } = app.deps

  mount(app, createReport, ({ input, viewer, tx }) => submitReport(tx, jobs, viewer, input.body), {
    limit: 'report',
  })

  mount(app, listOwnReports, async ({ input, viewer }) => {
    const part = parsePageRequest(input.query)
    const { count, rows } = await reporting.listOwnReports(db, viewer.id, part)
    return cursorPage(listOwnReports, input, part, count, rows)
  })
}

type ReportInput = Input<typeof createReport>['body']

async function submitReport(db: Db, jobs: Jobs, viewer: Viewer, body: ReportInput): Promise<ReportReceipt> {
  const { report_type } = body
  const notes = body.notes ?? ''
  const target = await findTarget(db, viewer, body)
  if (target === null) throw new ApiError('not-found')
  if (target.kind !== 'video' && target.user_id === viewer.id) throw new ApiError('cannot-target-self')
  const problems = reportProblems(report_type, target.kind, notes)
  if (problems !== null) throw new InvalidFields(problems)

  const did_hide = hidesImmediately(report_type, target.kind, await reporting.readStanding(db, viewer.id))
  const suggested_orientation = report_type === 'wrong_orientation' ? (body.orientation ?? null) : null
  const id = await reporting.insertReport(db, target, {
    reporter_id: viewer.id,
    report_type,
    notes,
    suggested_orientation,
    did_hide,
  })
  if (did_hide && target.is_visible) {
    await setTargetStatus(db, target, 'hidden')
    const { kind, id: target_id, video_id, title } = target
    await insertDecision(db, jobs, {
      action: 'hide',
      target_kind: kind,
      target_id,
      user_id: kind === 'video' ? null : target.user_id,
      video_id,
      reason: report_type,
      title,
      moderator_id: null,
    })
  }
  const is_hidden = did_hide || !target.is_visible
  return { id, report_type, status: 'open', is_hidden, detail: is_hidden ? hiddenText : thanksText }
}

/** Confirmations: after a report that hid its target, and after one that did not. */
const hiddenText = 'Thank you. This is now hidden pending admin review.'
const thanksText = 'Thank you. A moderator will look at this.'

/** Finds and locks the target of a report. @throws InvalidFields unless exactly one target is named. */
function findTarget(db: Db, viewer: Viewer, body: ReportInput): Promise<reporting.ReportTarget | null> {
  const { video_id = null, bookmark_id = null, comment_id = null, user_id = null } = body
  const named = [video_id, comment_id, user_id].filter((id) => id !== null)
  if (named.length > 1) {
    throw new InvalidFields({ non_field_errors: ['Name one of `video_id`, `comment_id` and `user_id`.'] })
  }
  if (comment_id !== null) return reporting.findReportableComment(db, comment_id, viewer)
  if (user_id !== null) return reporting.findReportableUser(db, user_id, viewer)
  // The text is part of the interface that existing clients show.
  if (video_id === null) throw new InvalidFields({ video_id: ['Video information not available.'] })
  return reporting.findReportableVideo(db, video_id, bookmark_id, viewer)
}
