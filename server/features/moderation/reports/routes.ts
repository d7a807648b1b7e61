import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import {
  createReport,
  listOwnReports,
  type ReportReceipt,
  type ReportType,
  type TargetKind,
} from '@reelmark/contract/reports.ts'
import type { FastifyInstance } from 'fastify'
import type { Viewer } from '../../../core/auth/session.ts'
import type { Db } from '../../../core/database/database.ts'
import type { Jobs } from '../../../core/database/jobs.ts'
import { cursorPage, parsePageRequest } from '../../../core/http/cursor-paging.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { type RateLimitName, rateLimits } from '../../../core/http/rate-limit-config.ts'
import { consumeToken, ipBucketKey } from '../../../core/http/rate-limits.ts'
import { requestHealthCheck } from '../../../shared/viewed-videos.ts'
import { announceReport } from '../../notifications/public-api.ts'
import { insertDecision, setTargetStatus } from '../decisions/decision-queries.ts'
import * as reporting from './report-queries.ts'
import { hasStanding, hidesAtOnce, reporterNetwork, reportProblems } from './report-rules.ts'

export function registerReports(app: FastifyInstance): void {
  const { db, jobs } = app.deps

  const limiter = createLimiter(app.deps.settings.rateLimitScale)

  mount(
    app,
    createReport,
    ({ input, viewer, request, tx }) =>
      submitReport(tx, jobs, limiter, { ...viewer, address: request.ip }, input.body),
    { limit: 'report' },
  )

  mount(app, listOwnReports, async ({ input, viewer }) => {
    const part = parsePageRequest(input.query)
    const { count, rows } = await reporting.listOwnReports(db, viewer.id, part)
    return cursorPage(listOwnReports, input, part, count, rows)
  })
}

type ReportInput = Input<typeof createReport>['body']
type AddressedViewer = Viewer & { address: string }

/** Creates the report and hides its target if the rules say so. The target is locked, so that reports are counted in turn. */
async function submitReport(
  db: Db,
  jobs: Jobs,
  limiter: Limiter,
  viewer: AddressedViewer,
  body: ReportInput,
): Promise<ReportReceipt> {
  const { report_type } = body
  await limiter.limitReports(db, viewer)
  const notes = body.notes ?? ''
  const target = await findTarget(db, viewer, body)
  if (target === null) throw new ApiError('not-found')
  if (target.kind !== 'video' && target.user_id === viewer.id) throw new ApiError('cannot-target-self')
  const problems = reportProblems(report_type, target.kind, notes)
  if (problems !== null) throw new InvalidFields(problems)

  const suggested_orientation = report_type === 'wrong_orientation' ? (body.orientation ?? null) : null
  const id = await reporting.insertReport(db, target, {
    reporter_id: viewer.id,
    report_type,
    notes,
    suggested_orientation,
    did_hide: false,
    network: reporterNetwork(viewer.address),
  })
  if (target.kind === 'video') await requestHealthCheck(db, target.id)
  await announceReport(db, jobs, { actor_id: viewer.id, report_id: id })
  const hides = await shouldHide(db, viewer, target, report_type)
  // Hiding what is hidden already is not limited: the target then stays hidden until this report, too, is decided.
  const did_hide =
    hides && (!target.is_visible || (await limiter.mayHide(db, viewer, report_type, target.kind)))
  if (did_hide) await reporting.markAsHiding(db, id)
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

/** Returns whether the report of a viewer, which is stored already, hides its target (docs/behaviour.md, Reports and moderation). */
async function shouldHide(
  db: Db,
  viewer: Viewer,
  target: reporting.ReportTarget,
  type: ReportType,
): Promise<boolean> {
  if (target.kind === 'user') return false
  if (hidesAtOnce(type, target.kind)) return true
  if (await reporting.isProtected(db, target)) return false
  return (
    hasStanding(await reporting.readReporter(db, viewer)) || reporting.hasIndependentReporters(db, target)
  )
}

interface Limiter {
  /** @throws ApiError('rate-limited') if too many reports come from the viewer's address */
  limitReports(db: Db, viewer: AddressedViewer): Promise<void>
  /** Returns whether the viewer, and their address, may hide one more target; if so, counts it. */
  mayHide(db: Db, viewer: AddressedViewer, type: ReportType, kind: TargetKind): Promise<boolean>
}

/** Limits reports per address, and hidings per user and address. Reports per user are limited by the endpoint. */
function createLimiter(scale: number): Limiter {
  const take = (db: Db, name: RateLimitName, key: string | number) =>
    consumeToken(db, `${name} ${key}`, rateLimits[name], scale)
  return {
    async limitReports(db, { address }) {
      const wait = await take(db, 'report-by-address', ipBucketKey(address))
      if (wait > 0) throw new ApiError('rate-limited', {}, wait)
    },
    async mayHide(db, { id, address, is_moderator }, type, kind) {
      if (is_moderator) return true
      const name = hidesAtOnce(type, kind) ? 'hide-at-once' : 'hide'
      const byUser = await take(db, `${name}-by-user`, id)
      return byUser === 0 && (await take(db, `${name}-by-address`, ipBucketKey(address))) === 0
    },
  }
}

/** Confirmations: after a report that hid its target, and after one that did not. */
const hiddenText = 'Thank you. This is now hidden pending admin review.'
const thanksText = 'Thank you. A moderator will look at this.'

/** Finds and locks the target of a report. @throws InvalidFields unless exactly one target is named. */
function findTarget(db: Db, viewer: Viewer, body: ReportInput): Promise<reporting.ReportTarget | null> {
  const { video_id = null, bookmark_id = null, comment_id = null, user_id = null, link_token = null } = body
  const named = [video_id, comment_id, user_id].filter((id) => id !== null)
  if (named.length > 1) {
    throw new InvalidFields({ non_field_errors: ['Name one of `video_id`, `comment_id` and `user_id`.'] })
  }
  if (comment_id !== null) return reporting.findReportableComment(db, comment_id, viewer)
  if (user_id !== null) return reporting.findReportableUser(db, user_id, viewer)
  if (video_id === null && link_token !== null) return reporting.findReportableCollection(db, link_token)
  // The text is part of the interface that existing clients show.
  if (video_id === null) throw new InvalidFields({ video_id: ['Video information not available.'] })
  return reporting.findReportableVideo(db, video_id, bookmark_id, link_token, viewer)
}
