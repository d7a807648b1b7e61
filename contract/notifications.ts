/** What happened to one's own: the bell, its page, the live count, and the mails that say the same. */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { Id, nullable, Orientation, Time, UserSummary } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { PageQuery, pageOf } from './protocol/paging.ts'
import { DecisionAction, ReportStatus, ReportType } from './reports.ts'

export const notificationKinds = [
  'follow',
  'own_video_bookmarked',
  'new_bookmark_from_followed_user',
  'own_video_liked',
  'reply',
  'report_decided',
  'moderation',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** Of a notification, to name it by; says nothing else. May be negative. */
export const NotificationId = t.Integer({
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
})

/** 'ana and 12 others liked …': what several people did to one thing is one notification until it is read. */
export const Notification = t.Object({
  id: NotificationId,
  kind: t.Enum(notificationKinds),
  /** The latest of those who did it, at most three, the latest first. */
  actors: t.Array(UserSummary),
  /** How many did it; 100 stands for that or more. */
  actors_count: t.Integer(),
  /**
   * Where it leads: one's own of the video, or for `new_bookmark_from_followed_user` theirs, the latest. Null for
   * `follow` and what moderators did.
   */
  bookmark: t.Union([
    t.Object({
      id: Id,
      title: t.String(),
      thumbnail_url: nullable(t.String()),
      /** Of the video: pictures of adult content are covered here as everywhere. */
      orientation: Orientation,
    }),
    t.Null(),
  ]),
  /** The latest reply; null for all but `reply`. */
  comment: t.Union([t.Object({ id: Id, excerpt: t.String() }), t.Null()]),
  /**
   * What was decided, of `moderation`; null for all but that. Who decided is not told. `appeal_status` says what became
   * of one's appeal against it, where that is what is told; `statement` is how moderators began to explain it, which is
   * the answer then.
   */
  decision: t.Union([
    t.Object({
      id: Id,
      action: DecisionAction,
      reason: nullable(ReportType),
      title: t.String(),
      statement: t.String(),
      appeal_status: nullable(t.Enum(['granted', 'rejected'])),
    }),
    t.Null(),
  ]),
  /** One's own, of `report_decided`; null for all but that. */
  report: t.Union([
    t.Object({ id: Id, report_type: ReportType, status: ReportStatus, title: t.String() }),
    t.Null(),
  ]),
  /** Of the latest. */
  created_at: Time,
  is_read: t.Boolean(),
})
export type Notification = t.Static<typeof Notification>

/** Unread notifications; 100 stands for that or more. Also the data of each event of the stream. */
export const UnreadCount = t.Object({ count: t.Integer({ minimum: 0, maximum: limits.unreadMax }) })
export type UnreadCount = t.Static<typeof UnreadCount>

export const listNotifications = endpoint({
  method: 'GET',
  path: '/notifications/',
  summary: 'Your notifications of the last 90 days, grouped, the newest first',
  group: 'notifications',
  auth: 'user',
  query: PageQuery,
  status: 200,
  reply: pageOf(Notification),
  errors: ['unauthenticated', 'invalid-token', 'insufficient-scope', 'invalid', 'invalid-page'],
})

export const countUnread = endpoint({
  method: 'GET',
  path: '/notifications/unread/',
  summary: 'How many notifications are unread, up to 100',
  group: 'notifications',
  auth: 'user',
  status: 200,
  reply: UnreadCount,
  errors: ['unauthenticated', 'invalid-token', 'insufficient-scope'],
})

/** Exactly one of `ids` and `all`. What is not there, or not one's own, counts as read. */
export const markNotificationsRead = endpoint({
  method: 'POST',
  path: '/notifications/read/',
  summary: 'Mark notifications as read: the named, or all up to a time',
  group: 'notifications',
  auth: 'user',
  invalidatesCache: false,
  allowedWhileSuspended: true,
  body: t.Object(
    {
      ids: t.Optional(t.Array(NotificationId, { minItems: 1, maxItems: limits.maxPageSize })),
      all: t.Optional(t.Literal(true)),
      /** With `all`: what came later stays unread. The newest `created_at` that was shown; without it, now. */
      until: t.Optional(Time),
    },
    { additionalProperties: false },
  ),
  status: 200,
  /** What is unread now. */
  reply: UnreadCount,
  errors: ['invalid', 'unauthenticated', 'invalid-token', 'insufficient-scope', 'rate-limited'],
})

/**
 * Server-sent events (text/event-stream), read by `fetch` with the bearer token. Each is `event: unread` with the data
 * of an UnreadCount: one at once, then one whenever it changes. Comment lines (`:`) come every 25 s: whoever hears
 * nothing for a minute connects anew, and so does whoever's stream ends (the session is over where that is answered 401).
 */
export const streamNotifications = endpoint({
  method: 'GET',
  path: '/notifications/stream/',
  summary: 'The unread count as server-sent events, live',
  group: 'notifications',
  auth: 'user',
  scope: 'session',
  status: 200,
  reply: t.String(),
  errors: ['unauthenticated', 'invalid-token', 'insufficient-scope', 'rate-limited', 'unavailable'],
})

/** By the link of a mail, /unsubscribe/{token}: whoever has it may, signed in or not, any number of times. */
export const unsubscribe = endpoint({
  method: 'POST',
  path: '/notifications/unsubscribe/',
  summary: 'Get no more mails about notifications, by the link in one of them',
  group: 'notifications',
  auth: 'anyone',
  body: t.Object({ token: t.String({ minLength: 1, maxLength: 200 }) }, { additionalProperties: false }),
  status: 200,
  reply: t.Object({ detail: t.String() }),
  errors: ['invalid', 'invalid-email-link', 'rate-limited'],
})
