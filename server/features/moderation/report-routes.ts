import type { Input } from '@reelmark/contract/endpoint.ts'
import { fileReport, listOwnReports, type ReportFiled } from '@reelmark/contract/reports.ts'
import type { FastifyInstance } from 'fastify'
import { answerPart, partOf } from '../../core/cursor-paging.ts'
import type { Db } from '../../core/database.ts'
import { mount } from '../../core/endpoints.ts'
import { ApiError, InvalidFields } from '../../core/errors.ts'
import type { Jobs } from '../../core/jobs.ts'
import type { Viewer } from '../../core/session.ts'
import { decide, setStatus } from './decisions.ts'
import * as reporting from './reporting.ts'
import { hidesAtOnce, reportProblems } from './rules.ts'

export function registerReports(app: FastifyInstance): void {
  const { db, jobs } = app.deps

  mount(app, fileReport, ({ input, viewer, tx }) => file(tx, jobs, viewer, input.body), {
    limit: 'report',
  })

  mount(app, listOwnReports, async ({ input, viewer }) => {
    const part = partOf(input.query)
    const { count, rows } = await reporting.listOwnReports(db, viewer.id, part)
    return answerPart(listOwnReports, input, part, count, rows)
  })
}

type ReportInput = Input<typeof fileReport>['body']

async function file(db: Db, jobs: Jobs, viewer: Viewer, body: ReportInput): Promise<ReportFiled> {
  const { report_type } = body
  const notes = body.notes ?? ''
  const target = await findTarget(db, viewer, body)
  if (target === null) throw new ApiError('not-found')
  if (target.kind !== 'video' && target.user_id === viewer.id) throw new ApiError('yourself')
  const problems = reportProblems(report_type, target.kind, notes)
  if (problems !== null) throw new InvalidFields(problems)

  const hid = hidesAtOnce(report_type, target.kind, await reporting.standingOf(db, viewer.id))
  const suggested_orientation = report_type === 'wrong_orientation' ? (body.orientation ?? null) : null
  const id = await reporting.insertReport(db, target, {
    reporter_id: viewer.id,
    report_type,
    notes,
    suggested_orientation,
    hid,
  })
  if (hid && target.is_visible) {
    await setStatus(db, target, 'hidden')
    const { kind, id: target_id, video_id, title } = target
    const user_id = kind === 'video' ? null : target.user_id
    const reason = report_type
    await decide(db, jobs, {
      ...{ action: 'hide', target_kind: kind, target_id, user_id, video_id, reason, title },
      moderator_id: null,
    })
  }
  const is_hidden = hid || !target.is_visible
  return { id, report_type, status: 'open', is_hidden, detail: is_hidden ? hiddenText : thanks }
}

/** product.md section 4. */
const hiddenText = 'Thank you. This is now hidden pending admin review.'
const thanks = 'Thank you. A moderator will look at this.'

/** @throws InvalidFields where not exactly one thing is named. */
function findTarget(db: Db, viewer: Viewer, body: ReportInput): Promise<reporting.Target | null> {
  const { video_id = null, bookmark_id = null, comment_id = null, user_id = null } = body
  const named = [video_id, comment_id, user_id].filter((id) => id !== null)
  if (named.length > 1) {
    throw new InvalidFields({ non_field_errors: ['Name one of `video_id`, `comment_id` and `user_id`.'] })
  }
  if (comment_id !== null) return reporting.findComment(db, comment_id, viewer)
  if (user_id !== null) return reporting.findUser(db, user_id, viewer)
  // product.md section 5.
  if (video_id === null) throw new InvalidFields({ video_id: ['Video information not available.'] })
  return reporting.findVideo(db, video_id, bookmark_id, viewer)
}
