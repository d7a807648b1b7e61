/** What moderators see and do about reports (decisions.md, API). People's sanctions: contract/sanctions.ts. */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import {
  HttpUrl,
  Id,
  IdParams,
  nullable,
  Orientation,
  optionalText,
  TagNames,
  Time,
  text,
  UserSummary,
} from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { pageOf, pageQuery } from './protocol/paging.ts'
import {
  AppealStatus,
  DecisionAction,
  ReportStatus,
  ReportType,
  reportStatuses,
  TargetKind,
  targetKinds,
} from './reports.ts'

const moderatorBase = { group: 'moderation', auth: 'moderator' } as const

/** A report with who made it and how right they were before: of their decided reports, how many were approved. */
export const Report = t.Object({
  id: Id,
  target_kind: TargetKind,
  target_id: Id,
  video_id: nullable(Id),
  bookmark_id: nullable(Id),
  comment_id: nullable(Id),
  /** Whose it is. */
  user: t.Union([UserSummary, t.Null()]),
  report_type: ReportType,
  notes: t.String(),
  /** What the reporter thinks right, of `wrong_orientation`. */
  orientation: nullable(Orientation),
  status: ReportStatus,
  /** It hid what it is about when it was made. */
  hid: t.Boolean(),
  /** A rule of the site holds the bookmark that it names: that alone is decided about, and not the video. */
  is_held: t.Boolean(),
  snapshot: t.String(),
  /** Null: their account is gone, or the site itself holds it for review. */
  reporter: t.Union([UserSummary, t.Null()]),
  reporter_standing: t.Object({ approved: t.Integer(), rejected: t.Integer() }),
  created_at: Time,
  decided_at: nullable(Time),
  decided_by: t.Union([UserSummary, t.Null()]),
})
export type Report = t.Static<typeof Report>

const reportFilters = {
  status: t.Optional(t.Enum([...reportStatuses, 'all'] as const)),
  type: t.Optional(ReportType),
  kind: t.Optional(TargetKind),
  /** Older than so many hours. */
  age: t.Optional(t.Integer({ minimum: 0, maximum: 24 * 365 })),
  /** Of reporters whose reports were mostly right (`good`), mostly wrong (`poor`), or never decided (`new`). */
  standing: t.Optional(t.Enum(['good', 'poor', 'new'])),
}

export const listReports = endpoint({
  ...moderatorBase,
  method: 'GET',
  path: '/moderation/reports/',
  summary: 'Reports, the oldest first',
  query: t.Object(
    { ...pageQuery, ...reportFilters, target_kind: t.Optional(TargetKind), target_id: t.Optional(Id) },
    { additionalProperties: false },
  ),
  status: 200,
  reply: pageOf(Report),
  errors: ['invalid', 'invalid-page'],
})

/** Who looks at it at the moment. */
export const Claim = t.Object({ moderator: UserSummary, is_own: t.Boolean(), expires_at: Time })

/** All reports of one thing. */
export const Case = t.Object({
  target_kind: TargetKind,
  target_id: Id,
  /** Of the video, or the one that the comment is on. */
  video_id: nullable(Id),
  /** Where it can be looked at: a bookmark of the video; the one that waits, where one does. */
  bookmark_id: nullable(Id),
  user: t.Union([UserSummary, t.Null()]),
  /** Of a bookmark that waits, its own. */
  title: t.String(),
  thumbnail_url: nullable(t.String()),
  orientation: nullable(Orientation),
  /** How it is now. `gone`: deleted by its owner, or an account that is gone. */
  state: t.Enum(['visible', 'hidden', 'removed', 'gone']),
  /** Of a video: somebody's bookmark of it is held by a rule of the site, whatever the video's own state. */
  is_held: t.Boolean(),
  reports_count: t.Integer(),
  types: t.Array(ReportType),
  first_report_id: Id,
  first_at: Time,
  last_at: Time,
  claim: t.Union([Claim, t.Null()]),
})
export type Case = t.Static<typeof Case>

export const listCases = endpoint({
  ...moderatorBase,
  method: 'GET',
  path: '/moderation/cases/',
  summary: 'What is reported, each thing once with all its reports; the gravest and oldest first',
  query: t.Object({ ...pageQuery, ...reportFilters }, { additionalProperties: false }),
  status: 200,
  reply: pageOf(Case),
  errors: ['invalid', 'invalid-page'],
})

/** For the header of moderators' pages, which ask for it again and again. */
export const countCases = endpoint({
  ...moderatorBase,
  method: 'GET',
  path: '/moderation/cases/count/',
  summary: 'How many cases are open; 100 stands for that or more',
  status: 200,
  reply: t.Object({ count: t.Integer({ minimum: 0, maximum: limits.unreadMax }) }),
  errors: [],
})

const CaseParams = t.Object({ kind: t.Enum(targetKinds), id: Id })

/** What was decided before, and by whom. */
export const Decision = t.Object({
  id: Id,
  action: DecisionAction,
  target_kind: TargetKind,
  target_id: Id,
  user: t.Union([UserSummary, t.Null()]),
  reason: nullable(ReportType),
  title: t.String(),
  statement: t.String(),
  moderator: t.Union([UserSummary, t.Null()]),
  created_at: Time,
  until: nullable(Time),
  undone_at: nullable(Time),
  /** What was removed can be restored for 30 days, but not what concerns minors. */
  can_restore: t.Boolean(),
})
export type Decision = t.Static<typeof Decision>

export const getCase = endpoint({
  ...moderatorBase,
  method: 'GET',
  path: '/moderation/cases/:kind/:id/',
  summary: 'Everything about one reported thing: what it is, its reports, what was decided before',
  params: CaseParams,
  status: 200,
  reply: t.Object({
    case: Case,
    /** Of a comment: what it says now. */
    content: nullable(t.String()),
    video: t.Union([
      t.Object({
        id: Id,
        title: t.String(),
        description: t.String(),
        tags: t.Array(t.String()),
        source_url: t.String(),
        host: t.String(),
        orientation: Orientation,
        status: t.Enum(['visible', 'hidden', 'removed']),
        thumbnail_url: nullable(t.String()),
        saves_count: t.Integer(),
        created_at: Time,
      }),
      t.Null(),
    ]),
    /** The newest hundred. */
    reports: t.Array(Report),
    decisions: t.Array(Decision),
  }),
  errors: ['not-found'],
})

export const claimCase = endpoint({
  ...moderatorBase,
  method: 'POST',
  path: '/moderation/cases/:kind/:id/claim/',
  summary: 'Look at something alone for some minutes; again to go on',
  invalidatesCache: false,
  params: CaseParams,
  body: t.Object({ take_over: t.Optional(t.Boolean()) }, { additionalProperties: false }),
  status: 200,
  reply: Claim,
  /** claimed: with the `claim` of whoever looks at it. */
  errors: ['not-found', 'invalid', 'claimed'],
})

export const releaseCase = endpoint({
  ...moderatorBase,
  method: 'DELETE',
  path: '/moderation/cases/:kind/:id/claim/',
  summary: 'Let others look at it again',
  invalidatesCache: false,
  params: CaseParams,
  status: 204,
  reply: t.Null(),
  errors: ['not-found'],
})

/** What an approved report of a person does to them. */
export const sanctionChoices = ['warn', 'suspend', 'ban'] as const

const DecideInput = {
  report_id: Id,
  /** Told to whoever it concerns. */
  statement: t.Optional(optionalText(limits.notesMax)),
}

export const DecisionResult = t.Object({
  report_id: Id,
  status: ReportStatus,
  /** Reports that were decided by this: the named, and others of the same thing. */
  report_ids: t.Array(Id),
  decision_id: nullable(Id),
  state: t.Enum(['visible', 'hidden', 'removed', 'gone']),
})
export type DecisionResult = t.Static<typeof DecisionResult>

/** already-decided: with its `status`. */
const decideBase = {
  ...moderatorBase,
  method: 'POST',
  status: 200,
  reply: DecisionResult,
  errors: ['invalid', 'not-found', 'already-decided'],
} as const

/** Carries the report out; what that means for each type is in server/features/moderation/reports/report-rules.ts. */
export const approveReport = endpoint({
  ...decideBase,
  path: '/moderation/approve/',
  summary: 'Approve a report: what it is about is removed, or set right',
  body: t.Object(
    {
      ...DecideInput,
      /** Of `wrong_orientation`, needed: what is set. */
      orientation: t.Optional(nullable(Orientation)),
      /** Of a person: what is done; a warning without it. */
      sanction: t.Optional(nullable(t.Enum(sanctionChoices))),
      /** Of a suspension. */
      days: t.Optional(nullable(t.Integer({ minimum: 1, maximum: 365 }))),
    },
    { additionalProperties: false },
  ),
})

export const rejectReport = endpoint({
  ...decideBase,
  path: '/moderation/reject/',
  summary: 'Reject a report: what it hid is shown again',
  body: t.Object(
    {
      ...DecideInput,
      /** All open reports of the same thing too. */
      all: t.Optional(t.Boolean()),
    },
    { additionalProperties: false },
  ),
})

/** Each for itself: what was decided meanwhile, or needs an orientation, is named. */
export const decideReports = endpoint({
  ...moderatorBase,
  method: 'POST',
  path: '/moderation/decide/',
  summary: 'Approve or reject many reports',
  body: t.Object(
    {
      report_ids: t.Array(Id, { minItems: 1, maxItems: limits.maxPageSize }),
      decision: t.Enum(['approve', 'reject']),
      /** Rejected: all open reports of the same things too. Approved they are anyway. */
      all: t.Optional(t.Boolean()),
      statement: t.Optional(optionalText(limits.notesMax)),
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: t.Object({
    decided: t.Array(Id),
    failed: t.Array(t.Object({ report_id: Id, detail: t.String() })),
  }),
  errors: ['invalid'],
})

export const editVideo = endpoint({
  ...moderatorBase,
  method: 'PATCH',
  path: '/moderation/edit-video/:id/',
  summary: 'Set a video right, for everyone who keeps it',
  params: IdParams,
  body: t.Object(
    {
      title: t.Optional(text(limits.titleMax)),
      description: t.Optional(optionalText(limits.descriptionMax)),
      tags: t.Optional(TagNames),
      source_url: t.Optional(HttpUrl),
      orientation: t.Optional(Orientation),
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: t.Object({
    id: Id,
    title: t.String(),
    description: t.String(),
    tags: t.Array(t.String()),
    source_url: t.String(),
    orientation: Orientation,
  }),
  /** link-taken: another video has that link. */
  errors: ['invalid', 'not-found', 'link-taken'],
})

/** Of public ones, and of what a report names. */
export const editBookmark = endpoint({
  ...moderatorBase,
  method: 'PATCH',
  path: '/moderation/edit-bookmark/:id/',
  summary: 'Set the words of a bookmark right',
  params: IdParams,
  body: t.Object(
    {
      title: t.Optional(text(limits.titleMax)),
      description: t.Optional(optionalText(limits.descriptionMax)),
      tags: t.Optional(TagNames),
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: t.Object({ id: Id, title: t.String(), description: t.String(), tags: t.Array(t.String()) }),
  errors: ['invalid', 'not-found'],
})

/** Within 30 days, and not what concerns minors. Also what a decision did to a comment. */
export const restoreDecision = endpoint({
  ...moderatorBase,
  method: 'POST',
  path: '/moderation/decisions/:id/restore/',
  summary: 'Take a removal back',
  params: IdParams,
  body: t.Object({ statement: t.Optional(optionalText(limits.notesMax)) }, { additionalProperties: false }),
  status: 200,
  reply: Decision,
  errors: ['invalid', 'not-found', 'not-restorable'],
})

export const Appeal = t.Object({
  id: Id,
  decision: Decision,
  user: UserSummary,
  text: t.String(),
  status: AppealStatus,
  answer: t.String(),
  created_at: Time,
  decided_at: nullable(Time),
  decided_by: t.Union([UserSummary, t.Null()]),
  /** Somebody else decides where there is somebody else. */
  can_decide: t.Boolean(),
})
export type Appeal = t.Static<typeof Appeal>

export const listAppeals = endpoint({
  ...moderatorBase,
  method: 'GET',
  path: '/moderation/appeals/',
  summary: 'Appeals, the oldest first',
  query: t.Object({ ...pageQuery, status: t.Optional(AppealStatus) }, { additionalProperties: false }),
  status: 200,
  reply: pageOf(Appeal),
  errors: ['invalid', 'invalid-page'],
})

export const decideAppeal = endpoint({
  ...moderatorBase,
  method: 'POST',
  path: '/moderation/appeals/:id/',
  summary: 'Grant an appeal, which takes the decision back, or reject it',
  params: IdParams,
  body: t.Object(
    { decision: t.Enum(['grant', 'reject']), answer: t.Optional(optionalText(limits.notesMax)) },
    { additionalProperties: false },
  ),
  status: 200,
  reply: Appeal,
  /** own-decision: another moderator has to. */
  errors: ['invalid', 'not-found', 'already-decided', 'cannot-review-own-decision', 'not-restorable'],
})
