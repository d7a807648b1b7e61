/** Sanctions and roles of users, the audit log and moderation statistics. */
import * as t from 'typebox'
import { Decision } from './decisions.ts'
import { endpoint } from './protocol/endpoint.ts'
import { Id, IdParams, nullable, optionalText, Time, UserSummary } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { cursorQuery, pageOf, pageQuery } from './protocol/paging.ts'
import { ReportType } from './reports.ts'

const moderatorBase = { group: 'moderation', auth: 'moderator' } as const

/** A user as moderators see them: their activity, and the decisions about them. */
export const UserHistory = t.Object({
  user: UserSummary,
  is_moderator: t.Boolean(),
  is_owner: t.Boolean(),
  created_at: Time,
  /** The names that still lead to the user, latest first. */
  former_usernames: t.Array(t.Object({ username: t.String(), changed_at: Time })),
  banned_at: nullable(Time),
  ban_reason: t.String(),
  suspended_until: nullable(Time),
  /** Public bookmarks. Moderators do not see private ones. */
  bookmarks_count: t.Integer(),
  comments_count: t.Integer(),
  /** Reports made by the user, by outcome. */
  reports_made: t.Object({ open: t.Integer(), approved: t.Integer(), rejected: t.Integer() }),
  /** Reports about the user and their content, by outcome. */
  reports_received: t.Object({ open: t.Integer(), approved: t.Integer(), rejected: t.Integer() }),
  /** The latest 100 about the user. */
  decisions: t.Array(Decision),
  /** The latest 10 public bookmarks. The next field has the latest 10 comments. */
  recent_bookmarks: t.Array(t.Object({ id: Id, title: t.String(), created_at: Time })),
  recent_comments: t.Array(
    t.Object({ id: Id, video_id: Id, bookmark_id: Id, content: t.String(), created_at: Time }),
  ),
})
export type UserHistory = t.Static<typeof UserHistory>

/** Also available for banned users, whose profiles do not exist for anyone else. */
export const getUserHistory = endpoint({
  ...moderatorBase,
  method: 'GET',
  path: '/moderation/history/:username/',
  summary: 'Get the moderation history of a user',
  params: t.Object({ username: t.String({ maxLength: limits.usernameMax }) }),
  status: 200,
  reply: UserHistory,
  errors: ['not-found'],
})

const sanctionBase = {
  ...moderatorBase,
  method: 'POST',
  params: IdParams,
  status: 200,
  reply: Decision,
  /** forbidden: the user is a moderator and has to be demoted first. */
  errors: ['invalid', 'not-found', 'cannot-target-self', 'forbidden'],
} as const

/** `statement` is shown to the affected user. */
const statement = {
  statement: t.Optional(optionalText(limits.notesMax)),
  reason: t.Optional(nullable(ReportType)),
}

export const warnUser = endpoint({
  ...sanctionBase,
  path: '/moderation/users/:id/warn/',
  summary: 'Warn a user',
  body: t.Object(statement, { additionalProperties: false }),
})

export const suspendUser = endpoint({
  ...sanctionBase,
  path: '/moderation/users/:id/suspend/',
  summary: 'Suspend a user for some days: they can read but not change anything',
  body: t.Object(
    { ...statement, days: t.Integer({ minimum: 1, maximum: 365 }) },
    { additionalProperties: false },
  ),
})

export const unsuspendUser = endpoint({
  ...sanctionBase,
  path: '/moderation/users/:id/unsuspend/',
  summary: 'End a suspension',
  body: t.Object(statement, { additionalProperties: false }),
})

export const banUser = endpoint({
  ...sanctionBase,
  path: '/moderation/users/:id/ban/',
  summary: 'Ban a user: end their sessions, refuse logins and hide their content',
  body: t.Object(statement, { additionalProperties: false }),
})

export const unbanUser = endpoint({
  ...sanctionBase,
  path: '/moderation/users/:id/unban/',
  summary: 'Lift a ban',
  body: t.Object(statement, { additionalProperties: false }),
})

const roles = t.Object({ id: Id, username: t.String(), is_moderator: t.Boolean(), is_verified: t.Boolean() })
const setRoleBase = {
  ...moderatorBase,
  method: 'POST',
  params: IdParams,
  status: 200,
  reply: roles,
  errors: ['not-found', 'cannot-target-self'],
} as const

export const verifyUser = endpoint({
  ...setRoleBase,
  path: '/moderation/users/:id/verify/',
  summary: 'Mark a user as verified',
})
export const unverifyUser = endpoint({
  ...setRoleBase,
  path: '/moderation/users/:id/unverify/',
  summary: 'Remove the verified mark of a user',
})
/** Appointing and dismissing moderators requires reauthentication. Owners are appointed by the operator only. */
const setModeratorBase = {
  ...setRoleBase,
  auth: 'owner',
  scope: 'session',
  requiresReauth: true,
  /** forbidden: the user is an owner. */
  errors: ['not-found', 'cannot-target-self', 'forbidden'],
} as const

export const promoteUser = endpoint({
  ...setModeratorBase,
  path: '/moderation/users/:id/promote/',
  summary: 'Make a user a moderator',
})
export const demoteUser = endpoint({
  ...setModeratorBase,
  path: '/moderation/users/:id/demote/',
  summary: 'Remove the moderator role of a user',
})

export const AuditEntry = t.Object({
  id: Id,
  created_at: Time,
  /** Null: the system, the operator, or a deleted account. */
  actor_id: nullable(Id),
  actor_name: t.String(),
  action: t.String(),
  target_kind: t.Enum(['user', 'video', 'bookmark', 'comment', 'report', 'rule']),
  target_id: Id,
  /** Current name of the target, or its name at the time of the entry; null: unknown. */
  target_name: nullable(t.String()),
  before: t.Unsafe<Record<string, unknown> | null>({ type: ['object', 'null'], additionalProperties: true }),
  after: t.Unsafe<Record<string, unknown> | null>({ type: ['object', 'null'], additionalProperties: true }),
  note: t.String(),
})
export type AuditEntry = t.Static<typeof AuditEntry>

const auditFilters = {
  actor: t.Optional(t.String({ maxLength: limits.usernameMax })),
  action: t.Optional(t.String({ maxLength: 50 })),
  target_kind: t.Optional(AuditEntry.properties.target_kind),
  target_id: t.Optional(Id),
}

export const listAuditLog = endpoint({
  ...moderatorBase,
  method: 'GET',
  path: '/moderation/audit/',
  summary: 'List the audit log, latest first',
  query: t.Object({ ...cursorQuery, ...auditFilters }, { additionalProperties: false }),
  status: 200,
  reply: pageOf(AuditEntry),
  errors: ['invalid', 'invalid-page'],
})

/** Streamed as CSV: `id,created_at,actor,action,target_kind,target_id,before,after,note`. */
export const exportAuditLog = endpoint({
  ...moderatorBase,
  method: 'GET',
  path: '/moderation/audit/export/',
  summary: 'Download the audit log as CSV',
  status: 200,
  reply: t.String(),
  errors: [],
})

const Count = t.Object({ type: ReportType, open: t.Integer(), approved: t.Integer(), rejected: t.Integer() })

export const getStatistics = endpoint({
  ...moderatorBase,
  method: 'GET',
  path: '/moderation/statistics/',
  summary: 'Get moderation statistics: open cases, time to decision, share of approved reports',
  query: t.Object(
    { days: t.Optional(t.Integer({ minimum: 1, maximum: 366, default: 30 })) },
    { additionalProperties: false },
  ),
  status: 200,
  reply: t.Object({
    days: t.Integer(),
    open: t.Integer(),
    open_appeals: t.Integer(),
    decided: t.Integer(),
    /** In seconds; null: nothing was decided. */
    median_seconds: nullable(t.Integer()),
    /** Share of upheld decisions from 0 to 1; null: nothing was decided. */
    upheld_rate: nullable(t.Number()),
    by_type: t.Array(Count),
    by_moderator: t.Array(t.Object({ moderator: UserSummary, decided: t.Integer() })),
  }),
  errors: ['invalid'],
})

/** Public and without names, for the page /transparency. */
export const getModerationCounts = endpoint({
  method: 'GET',
  path: '/moderation/counts/',
  summary: 'Count reports, decisions and appeals by month',
  group: 'moderation',
  auth: 'anyone',
  status: 200,
  reply: t.Object({
    months: t.Array(
      t.Object({
        /** `2026-11`. */
        month: t.String(),
        reports: t.Integer(),
        approved: t.Integer(),
        rejected: t.Integer(),
        removed_videos: t.Integer(),
        removed_comments: t.Integer(),
        suspensions: t.Integer(),
        bans: t.Integer(),
        appeals: t.Integer(),
        granted_appeals: t.Integer(),
      }),
    ),
  }),
  errors: [],
})

export const searchUsers = endpoint({
  ...moderatorBase,
  method: 'GET',
  path: '/moderation/users/',
  summary: 'Search users by username prefix, or list banned users, suspended users or moderators',
  query: t.Object(
    {
      ...pageQuery,
      q: t.Optional(t.String({ maxLength: limits.usernameMax })),
      only: t.Optional(t.Enum(['banned', 'suspended', 'moderators', 'verified'])),
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: pageOf(
    t.Object({
      user: UserSummary,
      is_moderator: t.Boolean(),
      is_owner: t.Boolean(),
      banned_at: nullable(Time),
      suspended_until: nullable(Time),
      created_at: Time,
    }),
  ),
  errors: ['invalid', 'invalid-page'],
})
