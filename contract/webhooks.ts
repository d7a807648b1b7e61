/**
 * Webhooks: requests that the site sends to an address of the user when something happens, signed according to Standard
 * Webhooks (https://www.standardwebhooks.com).
 */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { HttpUrl, Id, IdParams, nullable, Time } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { PageQuery, pageOf } from './protocol/paging.ts'

/**
 * bookmark.created: the user saved a video. comment.created: another user commented on a video that the user saved
 * first, or replied to a comment of the user. report.created: someone reported content; only for moderators.
 */
export const webhookEvents = ['bookmark.created', 'comment.created', 'report.created'] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** webhook.test: the user asked for a test. */
export const sentEvents = [...webhookEvents, 'webhook.test'] as const
export type SentEvent = (typeof sentEvents)[number]

/**
 * waiting: not sent yet, or to be sent again. delivered: answered with a status from 200 to 299. failed: not sent again.
 * skipped: what it is about was deleted or is no longer visible to the user.
 */
export const deliveryStates = ['waiting', 'delivered', 'failed', 'skipped'] as const

export const Webhook = t.Object({
  id: Id,
  url: t.String(),
  events: t.Array(t.Enum(webhookEvents)),
  /** False: turned off by its owner, by a change of the password, or after all attempts to send an event failed. */
  is_enabled: t.Boolean(),
  created_at: Time,
  /** Failed attempts since the last success. */
  failures: t.Integer(),
})
export type Webhook = t.Static<typeof Webhook>

export const WebhookDelivery = t.Object({
  id: Id,
  event: t.Enum(sentEvents),
  state: t.Enum(deliveryStates),
  created_at: Time,
  attempts: t.Integer(),
  /** When the last attempt began. */
  attempted_at: nullable(Time),
  /** Null while waiting for the first attempt, and if the last attempt got no response. */
  response_status: nullable(t.Integer()),
  /** Why the last attempt failed without a response. */
  error: nullable(t.String()),
})
export type WebhookDelivery = t.Static<typeof WebhookDelivery>

/**
 * The body of a request, as JSON. `type` names the event and `data` depends on it. The headers `webhook-id`,
 * `webhook-timestamp` and `webhook-signature` are those of Standard Webhooks.
 */
export type WebhookPayload = { timestamp: string } & (
  | { type: 'bookmark.created'; data: { bookmark: WebhookBookmark } }
  | {
      type: 'comment.created'
      data: {
        comment: { id: number; content: string; username: string; parent_id: number | null }
        bookmark: WebhookBookmark
      }
    }
  | {
      type: 'report.created'
      data: { report: { id: number; report_type: string; target_kind: string; url: string } }
    }
  | { type: 'webhook.test'; data: Record<string, never> }
)

export interface WebhookBookmark {
  id: number
  /** The page of the bookmark on this site. */
  url: string
  title: string
  source_url: string
  access: 'public' | 'private'
  username: string
}

const own = { group: 'webhooks', auth: 'user', scope: 'session', invalidatesCache: false } as const
const ownErrors = ['unauthenticated', 'invalid-token', 'insufficient-scope'] as const
const Events = t.Array(t.Enum(webhookEvents), {
  minItems: 1,
  maxItems: webhookEvents.length,
  uniqueItems: true,
})

export const listWebhooks = endpoint({
  ...own,
  method: 'GET',
  path: '/webhooks/',
  summary: `List your webhooks, newest first, at most ${limits.webhooksMax}`,
  status: 200,
  reply: t.Array(Webhook),
  errors: ownErrors,
})

export const createWebhook = endpoint({
  ...own,
  method: 'POST',
  path: '/webhooks/',
  summary: 'Create a webhook; the response is the only time its secret is shown',
  requiresReauth: true,
  body: t.Object({ url: HttpUrl, events: Events }, { additionalProperties: false }),
  status: 201,
  reply: t.Object({ ...Webhook.properties, secret: t.String() }),
  /** A user who is not a moderator and chooses `report.created` gets `invalid` with `{"events": ["…"]}`. */
  errors: ['invalid', ...ownErrors, 'reauthentication-required', 'limit-reached', 'rate-limited'],
})

export const updateWebhook = endpoint({
  ...own,
  method: 'PATCH',
  path: '/webhooks/:id/',
  summary: 'Turn a webhook on or off; turning it on forgets its failed attempts',
  params: IdParams,
  body: t.Object({ is_enabled: t.Boolean() }, { additionalProperties: false }),
  status: 200,
  reply: Webhook,
  errors: ['invalid', ...ownErrors, 'not-found', 'rate-limited'],
})

export const deleteWebhook = endpoint({
  ...own,
  method: 'DELETE',
  path: '/webhooks/:id/',
  summary: 'Delete a webhook and its deliveries',
  params: IdParams,
  status: 204,
  reply: t.Null(),
  errors: [...ownErrors, 'not-found'],
})

export const testWebhook = endpoint({
  ...own,
  method: 'POST',
  path: '/webhooks/:id/test/',
  summary: 'Send the event webhook.test',
  params: IdParams,
  status: 201,
  reply: WebhookDelivery,
  /** `limit-reached`: too many events of the webhook are waiting. */
  errors: [...ownErrors, 'not-found', 'limit-reached', 'rate-limited'],
})

export const listWebhookDeliveries = endpoint({
  ...own,
  method: 'GET',
  path: '/webhooks/:id/deliveries/',
  summary: `List what a webhook sent in the last ${limits.webhookLogDays} days, newest first`,
  params: IdParams,
  query: PageQuery,
  status: 200,
  reply: pageOf(WebhookDelivery),
  errors: [...ownErrors, 'not-found', 'invalid-page'],
})

export const resendWebhookDelivery = endpoint({
  ...own,
  method: 'POST',
  path: '/webhooks/:id/deliveries/:delivery/resend/',
  summary: 'Send a delivered or failed event again',
  params: t.Object({ id: Id, delivery: Id }),
  status: 200,
  reply: WebhookDelivery,
  errors: [...ownErrors, 'not-found', 'rate-limited'],
})
