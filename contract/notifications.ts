/** Notifications: the list, the unread count and its live stream, and unsubscribing from digests. */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { Id, nullable, Orientation, Time, UserSummary } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { PageQuery, pageOf } from './protocol/paging.ts'
import { DecisionAction, ReportStatus, ReportType } from './reports.ts'

export const notificationKinds = [
  'follow',
  'collection_follow',
  'own_video_bookmarked',
  'new_bookmark_from_followed_user',
  'own_video_liked',
  'reply',
  'comment',
  'mention',
  'link_proposed',
  'link_replaced',
  'report_decided',
  'moderation',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** Identifies a notification: a stored one, a group of likes or saves, or the new bookmarks of a followed user or in a followed list. */
export const NotificationId = t.String({
  pattern: '^(event|likes|saves|bookmarks-of|bookmarks-in)-[1-9]\\d{0,14}$',
})

/** A bookmark that a notification is about. */
const NotifiedBookmark = t.Object({
  id: Id,
  title: t.String(),
  thumbnail_url: nullable(t.String()),
  /** Of the video, because adult thumbnails are concealed here too. */
  orientation: Orientation,
})

/**
 * One or more events. Unread events of one kind about one thing are grouped: 'ana and 12 others liked …'. Likes of several
 * bookmarks of the viewer within six hours are grouped again, and so are saves: 'ana and 2 others liked 24 of your bookmarks'.
 */
export const Notification = t.Object({
  id: NotificationId,
  kind: t.Enum(notificationKinds),
  /** The latest users who caused it, at most three, latest first. */
  actors: t.Array(UserSummary),
  /** How many users caused it; 100 means 100 or more. */
  actors_count: t.Integer(),
  /**
   * Bookmark it links to: the viewer's own, or for `new_bookmark_from_followed_user` the latest by the followed user, or in
   * the followed `container`.
   * Null for `follow`, `collection_follow`, `link_replaced` and decisions of moderators.
   */
  bookmark: t.Union([NotifiedBookmark, t.Null()]),
  /** How many bookmarks its latest 100 events are about. More than 1: `group` of the list returns the events of this group one by one. */
  bookmarks_count: t.Integer(),
  /** Up to three further bookmarks of the group, latest first. */
  more_bookmarks: t.Array(NotifiedBookmark),
  /**
   * For `collection_follow` the viewer's collection or channel that was followed; for `new_bookmark_from_followed_user` the
   * one that the viewer follows, if not its owner. Otherwise null.
   */
  container: t.Union([
    t.Object({ kind: t.Enum(['collection', 'channel']), id: Id, name: t.String() }),
    t.Null(),
  ]),
  /** The latest comment or reply. Null for other kinds, and for a mention in a description. */
  comment: t.Union([t.Object({ id: Id, excerpt: t.String() }), t.Null()]),
  /**
   * The decision, without the moderator's name. Null for kinds other than `moderation`. `appeal_status` is set if the
   * notification is about an appeal against the decision; `statement` is then the beginning of the answer, otherwise
   * the beginning of the moderators' explanation.
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
  /** The viewer's own report. Null for kinds other than `report_decided`. */
  report: t.Union([
    t.Object({ id: Id, report_type: ReportType, status: ReportStatus, title: t.String() }),
    t.Null(),
  ]),
  /** The viewer's bookmark that was moved to another link. Null for kinds other than `link_replaced`. */
  replaced_link: t.Union([
    t.Object({
      bookmark_id: Id,
      title: t.String(),
      before: t.String(),
      after: t.String(),
      /** How long the viewer can return to the link before. */
      until: Time,
    }),
    t.Null(),
  ]),
  /** Time of the latest event. */
  created_at: Time,
  is_read: t.Boolean(),
})
export type Notification = t.Static<typeof Notification>

/** Number of unread notifications; 100 means 100 or more. Also the data of each event of the stream. */
export const UnreadCount = t.Object({ count: t.Integer({ minimum: 0, maximum: limits.unreadMax }) })
export type UnreadCount = t.Static<typeof UnreadCount>

export const listNotifications = endpoint({
  method: 'GET',
  path: '/notifications/',
  summary: 'List your notifications of the last 90 days, grouped, newest first',
  group: 'notifications',
  auth: 'user',
  query: t.Object(
    {
      ...PageQuery.properties,
      /** The id of a group: lists its notifications one by one. */
      group: t.Optional(t.String({ pattern: '^(likes|saves)-[1-9]\\d{0,14}$' })),
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: pageOf(Notification),
  errors: ['unauthenticated', 'invalid-token', 'insufficient-scope', 'invalid', 'invalid-page'],
})

export const countUnread = endpoint({
  method: 'GET',
  path: '/notifications/unread/',
  summary: 'Count your unread notifications, up to 100',
  group: 'notifications',
  auth: 'user',
  status: 200,
  reply: UnreadCount,
  errors: ['unauthenticated', 'invalid-token', 'insufficient-scope'],
})

/** Takes exactly one of `ids` and `all`. Ids that do not exist or belong to another user are ignored. */
export const markNotificationsRead = endpoint({
  method: 'POST',
  path: '/notifications/read/',
  summary: 'Mark notifications as read: the named ones, or all up to a time',
  group: 'notifications',
  auth: 'user',
  allowedWhileSuspended: true,
  body: t.Object(
    {
      ids: t.Optional(t.Array(NotificationId, { minItems: 1, maxItems: limits.maxPageSize })),
      all: t.Optional(t.Literal(true)),
      /**
       * Later events stay unread. With `all` send the newest `created_at` that was shown, with the id of a group its own.
       * Default: now.
       */
      until: t.Optional(Time),
    },
    { additionalProperties: false },
  ),
  status: 200,
  /** The number that is unread afterwards. */
  reply: UnreadCount,
  errors: ['invalid', 'unauthenticated', 'invalid-token', 'insufficient-scope', 'rate-limited'],
})

/**
 * Server-sent events (text/event-stream), read with `fetch` and the bearer token. Each is `event: unread` with an
 * UnreadCount as data: one immediately, then one per change. A comment line (`:`) arrives every 25 s. A client
 * reconnects if it receives nothing for a minute or if the stream ends; a 401 then means that the session is over.
 */
export const streamNotifications = endpoint({
  method: 'GET',
  path: '/notifications/stream/',
  summary: 'Stream the unread count as server-sent events',
  group: 'notifications',
  auth: 'user',
  scope: 'session',
  status: 200,
  reply: t.String(),
  errors: ['unauthenticated', 'invalid-token', 'insufficient-scope', 'rate-limited', 'unavailable'],
})

/** Takes the token of the mailed link /unsubscribe/{token}. Needs no session and can be repeated. */
export const unsubscribe = endpoint({
  method: 'POST',
  path: '/notifications/unsubscribe/',
  summary: 'Stop digest mails, with the token of the link in one of them',
  group: 'notifications',
  auth: 'anyone',
  body: t.Object({ token: t.String({ minLength: 1, maxLength: 200 }) }, { additionalProperties: false }),
  status: 200,
  reply: t.Object({ detail: t.String() }),
  errors: ['invalid', 'invalid-email-link', 'rate-limited'],
})
