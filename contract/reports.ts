/** Saying that something is wrong, hearing what became of it, and appealing against what was decided about one's own. */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { Id, IdParams, nullable, Orientation, optionalText, Time, text } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { CursorQuery, PageQuery, pageOf } from './protocol/paging.ts'

/** The specification's five, then ours (product.md section 3; decisions.md, API). */
export const reportTypes = [
  'broken_source',
  'broken_thumbnail',
  'broken_embed',
  'wrong_orientation',
  'request_moderation',
  'minors',
  'non_consensual',
  'violence_or_hate',
  'spam',
  'copyright',
  'other',
] as const
export const ReportType = t.Enum(reportTypes)
export type ReportType = t.Static<typeof ReportType>

/** What can be reported, and decided about. */
export const targetKinds = ['video', 'comment', 'user'] as const
export const TargetKind = t.Enum(targetKinds)
export type TargetKind = t.Static<typeof TargetKind>

/** Only of videos; all others are of comments and people too. */
export const videoReportTypes: readonly ReportType[] = [
  'broken_source',
  'broken_thumbnail',
  'broken_embed',
  'wrong_orientation',
]

/** Which types of report there are of something. */
export function reportTypesOf(kind: TargetKind): ReportType[] {
  return reportTypes.filter((type) => kind === 'video' || !videoReportTypes.includes(type))
}

export const reportStatuses = ['open', 'approved', 'rejected'] as const
export const ReportStatus = t.Enum(reportStatuses)

export const ReportReceipt = t.Object({
  id: Id,
  report_type: ReportType,
  status: ReportStatus,
  /** It is hidden now, until a moderator has looked at it. */
  is_hidden: t.Boolean(),
  detail: t.String(),
})
export type ReportReceipt = t.Static<typeof ReportReceipt>

/**
 * Exactly one of `video_id`, `comment_id` and `user_id`; `bookmark_id` says which bookmark of the video was looked at.
 * `orientation` is what the reporter thinks right, of `wrong_orientation`.
 */
export const createReport = endpoint({
  method: 'POST',
  path: '/report/',
  summary: 'Report a video, a comment or a person',
  group: 'reports',
  auth: 'user',
  body: t.Object(
    {
      video_id: t.Optional(nullable(Id)),
      bookmark_id: t.Optional(nullable(Id)),
      comment_id: t.Optional(nullable(Id)),
      user_id: t.Optional(nullable(Id)),
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

/** One of one's own reports. */
export const OwnReport = t.Object({
  id: Id,
  target_kind: TargetKind,
  report_type: ReportType,
  status: ReportStatus,
  /** What it was called, or said, when it was reported. */
  snapshot: t.String(),
  created_at: Time,
  decided_at: nullable(Time),
})
export type OwnReport = t.Static<typeof OwnReport>

export const listOwnReports = endpoint({
  method: 'GET',
  path: '/report/',
  summary: 'What you reported, and what became of it; the newest first',
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
  'warn',
  'suspend',
  'unsuspend',
  'ban',
  'unban',
] as const
export const DecisionAction = t.Enum(decisionActions)
export type DecisionAction = t.Static<typeof DecisionAction>
/** Against these one can appeal. */
export const appealableActions: readonly DecisionAction[] = [
  'hide',
  'remove',
  'set_orientation',
  'warn',
  'suspend',
  'ban',
]

export const appealStatuses = ['open', 'granted', 'rejected'] as const
export const AppealStatus = t.Enum(appealStatuses)

/** What was decided about something of one's own, or about oneself. Who decided is not told. */
export const OwnDecision = t.Object({
  id: Id,
  action: DecisionAction,
  target_kind: TargetKind,
  target_id: Id,
  /** What was reported; null where nothing was. */
  reason: nullable(ReportType),
  title: t.String(),
  statement: t.String(),
  created_at: Time,
  /** Of a suspension. */
  until: nullable(Time),
  /** It was taken back since. */
  is_undone: t.Boolean(),
  /** One can appeal, and has not yet. */
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
  summary: 'What moderators decided about you and your own, the newest first',
  query: PageQuery,
  status: 200,
  reply: pageOf(OwnDecision),
  errors: ['invalid', 'invalid-page'],
})

/** Within `limits.appealDays`, once. */
export const createAppeal = endpoint({
  ...decisionBase,
  invalidatesCache: false,
  method: 'POST',
  path: '/decisions/:id/appeal/',
  summary: 'Ask for another look at a decision about your own, once',
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
