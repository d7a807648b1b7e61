/** Reports as moderators see them, grouped into cases (docs/behaviour.md, Reports and moderation). */
import * as t from 'typebox'
import { Decision } from './decisions.ts'
import { LinkProposal } from './link-proposals.ts'
import { endpoint } from './protocol/endpoint.ts'
import { Id, nullable, Orientation, Time, UserSummary } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { pageOf, pageQuery } from './protocol/paging.ts'
import { ReportStatus, ReportType, reportStatuses, TargetKind, targetKinds } from './reports.ts'

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
  /**
   * For an open report about a collection that was seen by its secret link, with the newest 25 bookmarks that the
   * link shows; otherwise null. After the link was revoked, the collection has the name that was reported and no description,
   * and only the bookmarks that were in it then and are not private.
   */
  collection: nullable(
    t.Object({
      name: t.String(),
      description: t.String(),
      bookmarks: t.Array(t.Object({ id: Id, title: t.String(), source_url: t.String() })),
    }),
  ),
  /** For `replace_link`, until the old video is not needed any more. */
  proposal: nullable(LinkProposal),
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
  /** Current state. `deleted`: deleted by its owner, or with the account. */
  state: t.Enum(['visible', 'hidden', 'removed', 'deleted']),
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
        embed_url: nullable(t.String()),
        uploader_name: nullable(t.String()),
        provider: nullable(t.String()),
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
