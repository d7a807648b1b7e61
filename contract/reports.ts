/** Reporting content and users, the outcome of own reports, and appeals against decisions. */
import * as t from 'typebox'
import { reportStatuses, reportTypes, targetKinds } from './moderation-names.ts'
import { endpoint } from './protocol/endpoint.ts'
import {
  Id,
  IdParams,
  LinkToken,
  nullable,
  Orientation,
  optionalText,
  Time,
  text,
} from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { CursorQuery, PageQuery, pageOf } from './protocol/paging.ts'

export { reportStatuses, reportTypes, targetKinds }

export const ReportType = t.Enum(reportTypes)
export type ReportType = t.Static<typeof ReportType>

export const TargetKind = t.Enum(targetKinds)
export type TargetKind = t.Static<typeof TargetKind>

/** These apply to videos only. All others also apply to comments and users. */
export const videoReportTypes: readonly ReportType[] = [
  'broken_source',
  'broken_thumbnail',
  'broken_embed',
  'wrong_orientation',
  'title_and_picture',
]

/**
 * Returns the report types that users choose from for a kind of target. `replace_link` is not one of them: it comes with a link
 * (contract/link-proposals.ts).
 */
export function getReportTypes(kind: TargetKind): ReportType[] {
  return reportTypes.filter(
    (type) => type !== 'replace_link' && (kind === 'video' || !videoReportTypes.includes(type)),
  )
}

export const ReportStatus = t.Enum(reportStatuses)

export const ReportReceipt = t.Object({
  id: Id,
  report_type: ReportType,
  status: ReportStatus,
  /** Whether the target is now hidden until a moderator reviews it. */
  is_hidden: t.Boolean(),
  detail: t.String(),
})
export type ReportReceipt = t.Static<typeof ReportReceipt>

/**
 * Takes exactly one of `video_id`, `comment_id` and `user_id`. `bookmark_id` names the bookmark of the video that was
 * viewed. For `wrong_orientation`, `orientation` is the one the reporter proposes. `link_token` is the token of the secret
 * link by which the bookmark was viewed. Without the other ids, the report is about the collection of the link: its target
 * is the owner, and moderators see the collection in the case.
 */
export const createReport = endpoint({
  method: 'POST',
  path: '/report/',
  summary: 'Report a video, a comment, a user or a collection shared by a secret link',
  group: 'reports',
  auth: 'user',
  body: t.Object(
    {
      video_id: t.Optional(nullable(Id)),
      bookmark_id: t.Optional(nullable(Id)),
      comment_id: t.Optional(nullable(Id)),
      user_id: t.Optional(nullable(Id)),
      link_token: t.Optional(LinkToken),
      report_type: ReportType,
      notes: t.Optional(optionalText(limits.notesMax)),
      orientation: t.Optional(nullable(Orientation)),
    },
    { additionalProperties: false },
  ),
  status: 201,
  reply: ReportReceipt,
  errors: [
    'invalid',
    'unauthenticated',
    'invalid-token',
    'insufficient-scope',
    'not-found',
    'cannot-target-self',
    'already-reported',
    'idempotency-key-in-use',
    'idempotency-key-reused',
    'rate-limited',
  ],
  idempotent: true,
})

/** A report made by the viewer. */
export const OwnReport = t.Object({
  id: Id,
  target_kind: TargetKind,
  report_type: ReportType,
  status: ReportStatus,
  /** Title or text of the target at the time of the report. */
  snapshot: t.String(),
  created_at: Time,
  decided_at: nullable(Time),
})
export type OwnReport = t.Static<typeof OwnReport>

export const listOwnReports = endpoint({
  method: 'GET',
  path: '/report/',
  summary: 'List your reports and their outcome, newest first',
  group: 'reports',
  auth: 'user',
  query: CursorQuery,
  status: 200,
  reply: pageOf(OwnReport),
  errors: ['unauthenticated', 'invalid-token', 'insufficient-scope', 'invalid', 'invalid-page'],
})

export const decisionActions = [
  'hide',
  'show',
  'remove',
  'restore',
  'set_orientation',
  'remove_title_and_picture',
  'replace_link',
  'warn',
  'suspend',
  'unsuspend',
  'ban',
  'unban',
] as const
export const DecisionAction = t.Enum(decisionActions)
export type DecisionAction = t.Static<typeof DecisionAction>
/** Actions that the affected user can appeal against. */
export const appealableActions: readonly DecisionAction[] = [
  'hide',
  'remove',
  'set_orientation',
  'remove_title_and_picture',
  'warn',
  'suspend',
  'ban',
]

export const appealStatuses = ['open', 'granted', 'rejected'] as const
export const AppealStatus = t.Enum(appealStatuses)

/** A decision about the viewer or their content. It does not name the moderator. */
export const OwnDecision = t.Object({
  id: Id,
  action: DecisionAction,
  target_kind: TargetKind,
  target_id: Id,
  /** Type of the report; null: there was no report. */
  reason: nullable(ReportType),
  title: t.String(),
  statement: t.String(),
  created_at: Time,
  /** End of a suspension. */
  until: nullable(Time),
  /** Whether the decision was reversed since. */
  is_undone: t.Boolean(),
  /** Whether the viewer can still appeal: once, while the appeal period lasts. */
  can_appeal: t.Boolean(),
  appeal: t.Union([
    t.Object({ text: t.String(), status: AppealStatus, answer: t.String(), created_at: Time }),
    t.Null(),
  ]),
})
export type OwnDecision = t.Static<typeof OwnDecision>

const decisionBase = { group: 'reports', auth: 'user', scope: 'session' } as const

export const listOwnDecisions = endpoint({
  ...decisionBase,
  method: 'GET',
  path: '/decisions/',
  summary: 'List decisions about you and your content, newest first',
  query: PageQuery,
  status: 200,
  reply: pageOf(OwnDecision),
  errors: ['invalid', 'invalid-page'],
})

/** Possible once, within `limits.appealDays`. */
export const createAppeal = endpoint({
  ...decisionBase,
  invalidatesCache: false,
  method: 'POST',
  path: '/decisions/:id/appeal/',
  summary: 'Appeal against a decision about you or your content, once',
  params: IdParams,
  body: t.Object({ text: text(limits.notesMax) }, { additionalProperties: false }),
  status: 201,
  reply: OwnDecision,
  errors: [
    'invalid',
    'not-found',
    'already-appealed',
    'idempotency-key-in-use',
    'idempotency-key-reused',
    'rate-limited',
  ],
  idempotent: true,
})
