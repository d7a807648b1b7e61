/**
 * What moderators see and do about reports (docs/behaviour.md, Reports and moderation). Sanctions of users:
 * contract/sanctions.ts.
 */
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

/** A report with its reporter and how many of the reporter's decided reports were approved. */
export const Report = t.Object({
  id: Id,
  target_kind: TargetKind,
  target_id: Id,
  video_id: nullable(Id),
  bookmark_id: nullable(Id),
  comment_id: nullable(Id),
  /** Owner of the reported content. */
  user: t.Union([UserSummary, t.Null()]),
  report_type: ReportType,
  notes: t.String(),
  /** For `wrong_orientation`: the orientation the reporter proposes. */
  orientation: nullable(Orientation),
  status: ReportStatus,
  /** Whether the report hid its target when it was created. */
  did_hide: t.Boolean(),
  /** True: a content rule holds the bookmark. The decision is then about this bookmark only, not the video. */
  is_held: t.Boolean(),
  snapshot: t.String(),
  /** Null: the account was deleted, or a content rule created the report. */
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
  /** At least this many hours old. */
  age: t.Optional(t.Integer({ minimum: 0, maximum: 24 * 365 })),
  /** By reporter: reports mostly approved (`good`), mostly rejected (`poor`), or none decided (`new`). */
  standing: t.Optional(t.Enum(['good', 'poor', 'new'])),
}

export const listReports = endpoint({
  ...moderatorBase,
  method: 'GET',
  path: '/moderation/reports/',
  summary: 'List reports, oldest first',
  query: t.Object(
    { ...pageQuery, ...reportFilters, target_kind: t.Optional(TargetKind), target_id: t.Optional(Id) },
    { additionalProperties: false },
  ),
  status: 200,
  reply: pageOf(Report),
  errors: ['invalid', 'invalid-page'],
})

/** The moderator who currently reviews a case. */
export const Claim = t.Object({ moderator: UserSummary, is_own: t.Boolean(), expires_at: Time })

/** All reports about one target. */
export const Case = t.Object({
  target_kind: TargetKind,
  target_id: Id,
  /** The reported video, or the video the comment is on. */
  video_id: nullable(Id),
  /** A bookmark of the video, to view it; the held one if there is one. */
  bookmark_id: nullable(Id),
  user: t.Union([UserSummary, t.Null()]),
  /** For a held bookmark, the bookmark's own title. */
  title: t.String(),
  thumbnail_url: nullable(t.String()),
  orientation: nullable(Orientation),
  /** Current state. `gone`: deleted by its owner, or the account was deleted. */
  state: t.Enum(['visible', 'hidden', 'removed', 'gone']),
  /** For a video: a content rule holds a bookmark of it, independently of the video's own state. */
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
  summary: 'List reported targets, each once with all its reports; most severe and oldest first',
  query: t.Object({ ...pageQuery, ...reportFilters }, { additionalProperties: false }),
  status: 200,
  reply: pageOf(Case),
  errors: ['invalid', 'invalid-page'],
})

/** Polled by the header of moderators' pages. */
export const countCases = endpoint({
  ...moderatorBase,
  method: 'GET',
  path: '/moderation/cases/count/',
  summary: 'Count the open cases; 100 means 100 or more',
  status: 200,
  reply: t.Object({ count: t.Integer({ minimum: 0, maximum: limits.unreadMax }) }),
  errors: [],
})

const CaseParams = t.Object({ kind: t.Enum(targetKinds), id: Id })

/** An earlier decision and who made it. */
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
  /** Removed content can be restored for 30 days, except if the reason concerns minors. */
  can_restore: t.Boolean(),
})
export type Decision = t.Static<typeof Decision>

export const getCase = endpoint({
  ...moderatorBase,
  method: 'GET',
  path: '/moderation/cases/:kind/:id/',
  summary: 'Get a case: its target, reports and earlier decisions',
  params: CaseParams,
  status: 200,
  reply: t.Object({
    case: Case,
    /** For a comment: its current text. */
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
    /** The newest 100. */
    reports: t.Array(Report),
    decisions: t.Array(Decision),
  }),
  errors: ['not-found'],
})

export const claimCase = endpoint({
  ...moderatorBase,
  method: 'POST',
  path: '/moderation/cases/:kind/:id/claim/',
  summary: 'Claim a case for some minutes; repeat to extend the claim',
  invalidatesCache: false,
  params: CaseParams,
  body: t.Object({ take_over: t.Optional(t.Boolean()) }, { additionalProperties: false }),
  status: 200,
  reply: Claim,
  /** claimed comes with the `claim` of the other moderator. */
  errors: ['not-found', 'invalid', 'claimed'],
})

export const releaseCase = endpoint({
  ...moderatorBase,
  method: 'DELETE',
  path: '/moderation/cases/:kind/:id/claim/',
  summary: 'Release your claim of a case',
  invalidatesCache: false,
  params: CaseParams,
  status: 204,
  reply: t.Null(),
  errors: ['not-found'],
})

/** Sanctions that an approved report of a user can impose. */
export const sanctionChoices = ['warn', 'suspend', 'ban'] as const

const DecideInput = {
  report_id: Id,
  /** Shown to the affected user. */
  statement: t.Optional(optionalText(limits.notesMax)),
}

export const DecisionResult = t.Object({
  report_id: Id,
  status: ReportStatus,
  /** All reports decided by this request: the named one and others about the same target. */
  report_ids: t.Array(Id),
  decision_id: nullable(Id),
  state: t.Enum(['visible', 'hidden', 'removed', 'gone']),
})
export type DecisionResult = t.Static<typeof DecisionResult>

/** already-decided comes with `status`, the existing decision. */
const decideBase = {
  ...moderatorBase,
  method: 'POST',
  status: 200,
  reply: DecisionResult,
  errors: ['invalid', 'not-found', 'already-decided'],
} as const

/** server/features/moderation/reports/report-rules.ts defines what approval does for each report type. */
export const approveReport = endpoint({
  ...decideBase,
  path: '/moderation/approve/',
  summary: 'Approve a report: remove or correct its target',
  body: t.Object(
    {
      ...DecideInput,
      /** Required for `wrong_orientation`: the orientation to set. */
      orientation: t.Optional(nullable(Orientation)),
      /** For a user: the sanction; a warning if omitted. */
      sanction: t.Optional(nullable(t.Enum(sanctionChoices))),
      /** For a suspension: its length. */
      days: t.Optional(nullable(t.Integer({ minimum: 1, maximum: 365 }))),
    },
    { additionalProperties: false },
  ),
})

export const rejectReport = endpoint({
  ...decideBase,
  path: '/moderation/reject/',
  summary: 'Reject a report: show again what it hid',
  body: t.Object(
    {
      ...DecideInput,
      /** True: reject all open reports about the same target. */
      all: t.Optional(t.Boolean()),
    },
    { additionalProperties: false },
  ),
})

/** Decides each report independently and lists those that failed, for example because they are already decided. */
export const decideReports = endpoint({
  ...moderatorBase,
  method: 'POST',
  path: '/moderation/decide/',
  summary: 'Approve or reject many reports',
  body: t.Object(
    {
      report_ids: t.Array(Id, { minItems: 1, maxItems: limits.maxPageSize }),
      decision: t.Enum(['approve', 'reject']),
      /** For rejections: reject all open reports about the same targets. Approvals always include them. */
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
  summary: 'Correct a video: its link and orientation, and title, description and tags of its lead bookmark',
  params: IdParams,
  body: t.Object(
    {
      title: t.Optional(text(limits.titleMax)),
      description: t.Optional(optionalText(limits.descriptionMax)),
      tags: t.Optional(TagNames),
      source_url: t.Optional(HttpUrl),
      /** A ruling for every bookmark of it; null lifts it. */
      orientation: t.Optional(nullable(Orientation)),
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
  /** link-taken: another video has the new link. */
  errors: ['invalid', 'not-found', 'link-taken'],
})

/** Works for public bookmarks and for bookmarks named in a report. */
export const editBookmark = endpoint({
  ...moderatorBase,
  method: 'PATCH',
  path: '/moderation/edit-bookmark/:id/',
  summary: 'Correct the title, description and tags of a bookmark',
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

/** Possible within 30 days, except if the reason concerns minors. Also reverses decisions about comments. */
export const restoreDecision = endpoint({
  ...moderatorBase,
  method: 'POST',
  path: '/moderation/decisions/:id/restore/',
  summary: 'Reverse a removal',
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
  /** False for the moderator who made the decision, if another moderator exists. */
  can_decide: t.Boolean(),
})
export type Appeal = t.Static<typeof Appeal>

export const listAppeals = endpoint({
  ...moderatorBase,
  method: 'GET',
  path: '/moderation/appeals/',
  summary: 'List appeals, oldest first',
  query: t.Object({ ...pageQuery, status: t.Optional(AppealStatus) }, { additionalProperties: false }),
  status: 200,
  reply: pageOf(Appeal),
  errors: ['invalid', 'invalid-page'],
})

export const decideAppeal = endpoint({
  ...moderatorBase,
  method: 'POST',
  path: '/moderation/appeals/:id/',
  summary: 'Grant an appeal, which reverses the decision, or reject it',
  params: IdParams,
  body: t.Object(
    { decision: t.Enum(['grant', 'reject']), answer: t.Optional(optionalText(limits.notesMax)) },
    { additionalProperties: false },
  ),
  status: 200,
  reply: Appeal,
  /** cannot-review-own-decision: another moderator must decide. */
  errors: ['invalid', 'not-found', 'already-decided', 'cannot-review-own-decision', 'not-restorable'],
})
