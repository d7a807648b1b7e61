/** Moderators' decisions and corrections (docs/behaviour.md, Reports and moderation). Sanctions: contract/sanctions.ts. */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import {
  HttpUrl,
  HttpUrlOrBlank,
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
import { DecisionAction, ReportStatus, ReportType, TargetKind } from './reports.ts'

const moderatorBase = { group: 'moderation', auth: 'moderator' } as const

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
  state: t.Enum(['visible', 'hidden', 'removed', 'deleted']),
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

/**
 * The player, and the address of the picture, which the server fetches. Blank or null: the player that the link determines,
 * and the host's standard picture.
 */
const playerAndPicture = {
  embed_url: t.Optional(nullable(HttpUrlOrBlank)),
  thumbnail_url: t.Optional(nullable(HttpUrlOrBlank)),
}

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
      /**
       * For `broken_thumbnail` and `broken_embed`: replaces the picture or player instead of removing the video. Approves
       * the open reports about what it replaces.
       */
      repair: t.Optional(t.Object(playerAndPicture, { additionalProperties: false })),
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
  summary:
    'Correct a video: its link, orientation, player and picture, and title, description and tags of its lead bookmark',
  params: IdParams,
  body: t.Object(
    {
      title: t.Optional(text(limits.titleMax)),
      description: t.Optional(optionalText(limits.descriptionMax)),
      tags: t.Optional(TagNames),
      source_url: t.Optional(HttpUrl),
      /** True: permanently removes the uploader from the video and all bookmarks of it; false: it can be found again. */
      is_uploader_removed: t.Optional(t.Boolean()),
      /** A ruling for every bookmark of it; null lifts it. */
      orientation: t.Optional(nullable(Orientation)),
      ...playerAndPicture,
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
    embed_url: nullable(t.String()),
    /** The address the picture is fetched from. */
    thumbnail_url: nullable(t.String()),
    uploader_name: nullable(t.String()),
    is_uploader_removed: t.Boolean(),
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
