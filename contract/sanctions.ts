/** What moderators do about people, and the record of all that moderators do. */
import * as t from 'typebox'
import { Decision } from './moderation.ts'
import { endpoint } from './protocol/endpoint.ts'
import { Id, IdParams, nullable, optionalText, Time, UserSummary } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { cursorQuery, pageOf, pageQuery } from './protocol/paging.ts'
import { ReportType } from './reports.ts'

const moderatorBase = { group: 'moderation', auth: 'moderator' } as const

/** Somebody as moderators see them: what they do here, and what was done about it. */
export const UserHistory = t.Object({
  user: UserSummary,
  is_moderator: t.Boolean(),
  created_at: Time,
  banned_at: nullable(Time),
  ban_reason: t.String(),
  suspended_until: nullable(Time),
  /** Public ones; what is private moderators do not see. */
  bookmarks_count: t.Integer(),
  comments_count: t.Integer(),
  /** Reports they made, and how those were decided. */
  reports_made: t.Object({ open: t.Integer(), approved: t.Integer(), rejected: t.Integer() }),
  /** Reports of them and of what is theirs. */
  reports_received: t.Object({ open: t.Integer(), approved: t.Integer(), rejected: t.Integer() }),
  /** The latest hundred about them. */
  decisions: t.Array(Decision),
  /** The latest public bookmarks and comments, ten of each. */
  recent_bookmarks: t.Array(t.Object({ id: Id, title: t.String(), created_at: Time })),
  recent_comments: t.Array(
    t.Object({ id: Id, video_id: Id, bookmark_id: Id, content: t.String(), created_at: Time }),
  ),
})
export type UserHistory = t.Static<typeof UserHistory>

/** Also of the banned: profiles of theirs are not there for anybody else. */
export const getUserHistory = endpoint({
  ...moderatorBase,
  method: 'GET',
  path: '/moderation/records/:username/',
  summary: 'The history of a user',
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
  /** not-allowed: moderators have to be demoted first. */
  errors: ['invalid', 'not-found', 'cannot-target-self', 'forbidden'],
} as const

/** Told to whom it concerns. */
const statement = {
  statement: t.Optional(optionalText(limits.notesMax)),
  reason: t.Optional(nullable(ReportType)),
}

export const warnUser = endpoint({
  ...sanctionBase,
  path: '/moderation/users/:id/warn/',
  summary: 'Warn somebody',
  body: t.Object(statement, { additionalProperties: false }),
})

export const suspendUser = endpoint({
  ...sanctionBase,
  path: '/moderation/users/:id/suspend/',
  summary: 'Let somebody only look for some days',
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
  summary: 'End all sessions of somebody, let them in no more, and show nothing of theirs',
  body: t.Object(statement, { additionalProperties: false }),
})

export const unbanUser = endpoint({
  ...sanctionBase,
  path: '/moderation/users/:id/unban/',
  summary: 'Let somebody in again',
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
  summary: 'Show a badge beside somebody’s name',
})
export const unverifyUser = endpoint({
  ...setRoleBase,
  path: '/moderation/users/:id/unverify/',
  summary: 'Show no badge any more',
})
/** Confirmed: it gives away what most harm can be done with. */
export const promoteUser = endpoint({
  ...setRoleBase,
  scope: 'session',
  requiresReauth: true,
  path: '/moderation/users/:id/promote/',
  summary: 'Let somebody moderate',
})
export const demoteUser = endpoint({
  ...setRoleBase,
  scope: 'session',
  requiresReauth: true,
  path: '/moderation/users/:id/demote/',
  summary: 'Let somebody moderate no more',
})

export const AuditEntry = t.Object({
  id: Id,
  created_at: Time,
  /** Null: the site itself, the operator, or an account that is gone. */
  actor_id: nullable(Id),
  actor_name: t.String(),
  action: t.String(),
  target_kind: t.Enum(['user', 'video', 'bookmark', 'comment', 'report', 'rule']),
  target_id: Id,
  /** What it is called, or was when it was written down; null where nobody knows any more. */
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
  summary: 'What moderators did, the latest first',
  query: t.Object({ ...cursorQuery, ...auditFilters }, { additionalProperties: false }),
  status: 200,
  reply: pageOf(AuditEntry),
  errors: ['invalid', 'invalid-page'],
})

/** CSV, streamed: `id,created_at,actor,action,target_kind,target_id,before,after,note`. */
export const exportAuditLog = endpoint({
  ...moderatorBase,
  method: 'GET',
  path: '/moderation/audit/export/',
  summary: 'The whole log as CSV',
  status: 200,
  reply: t.String(),
  errors: [],
})

const Count = t.Object({ type: ReportType, open: t.Integer(), approved: t.Integer(), rejected: t.Integer() })

export const getStatistics = endpoint({
  ...moderatorBase,
  method: 'GET',
  path: '/moderation/statistics/',
  summary: 'How moderation goes: what is open, how long it takes, how much is right',
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
    /** Seconds; null where nothing was decided. */
    median_seconds: nullable(t.Integer()),
    /** From 0 to 1; null where nothing was decided. */
    upheld_rate: nullable(t.Number()),
    by_type: t.Array(Count),
    by_moderator: t.Array(t.Object({ moderator: UserSummary, decided: t.Integer() })),
  }),
  errors: ['invalid'],
})

/** For everybody, without a name: the page /transparency. */
export const getModerationCounts = endpoint({
  method: 'GET',
  path: '/moderation/counts/',
  summary: 'How much was reported and what became of it, by month',
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
  summary: 'Users by the beginning of their name; the banned, the suspended, moderators',
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
      banned_at: nullable(Time),
      suspended_until: nullable(Time),
      created_at: Time,
    }),
  ),
  errors: ['invalid', 'invalid-page'],
})
