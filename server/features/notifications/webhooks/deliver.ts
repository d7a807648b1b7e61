/** Sends the events of webhooks, each webhook's in their order. */
import type { WebhookPayload } from '@reelmark/contract/webhooks.ts'
import { Webhook as Signer } from 'standardwebhooks'
import { decrypt } from '../../../core/auth/encryption.ts'
import type { Deps } from '../../../core/deps.ts'
import { queueMail } from '../../../core/mail/mail-queue.ts'
import { hideFailureDuration } from '../../../core/outbound/hide-failure-duration.ts'
import { OutboundError } from '../../../core/outbound/outbound-error.ts'
import {
  type AttemptOutcome,
  type ClaimedWebhook,
  claimWebhook,
  nextDelivery,
  readBookmark,
  readComment,
  readReport,
  recordFailure,
  recordSuccess,
  releaseWebhook,
  skipDelivery,
  type WaitingDelivery,
} from './delivery-queries.ts'
import { deliverWebhookJob } from './events.ts'
import { disabledMail } from './webhook-mails.ts'

type Dependencies = Pick<Deps, 'db' | 'jobs' | 'outbound' | 'serverKeys' | 'settings'>

/** Events that one job sends, so that webhooks with many events do not delay others. */
const batchSize = 10
/** Milliseconds after which a job starts no further request, so that slow servers do not delay others either. */
const batchMs = 20_000
const maxResponseBytes = 64 * 1024

/** Sends waiting events of a webhook until none is left, one fails, or the batch is full; then another job continues. */
export async function deliverWebhook(deps: Dependencies, webhookId: number): Promise<void> {
  const { db, jobs } = deps
  const webhook = await claimWebhook(db, webhookId)
  if (webhook === null) return
  const startedAt = performance.now()
  let isComplete = false
  try {
    for (
      let sent = 0;
      sent < batchSize && performance.now() - startedAt < batchMs && !isComplete;
      sent += 1
    ) {
      const next = await nextDelivery(db, webhookId)
      isComplete = next === null || !(await deliver(deps, webhook, next))
    }
  } finally {
    await releaseWebhook(db, webhookId)
  }
  if (!isComplete) await jobs.send(db, deliverWebhookJob, { webhook_id: webhookId })
}

/** Sends an event. Returns whether the next one can be sent. */
async function deliver(
  deps: Dependencies,
  webhook: ClaimedWebhook,
  delivery: WaitingDelivery,
): Promise<boolean> {
  const { db } = deps
  const payload = await readPayload(deps, webhook, delivery)
  if (payload === null) {
    await skipDelivery(db, delivery.id)
    return true
  }
  const outcome = await post(deps, webhook, delivery.id, JSON.stringify(payload))
  return db.begin(async (tx) => {
    if (outcome.status !== null && outcome.status >= 200 && outcome.status < 300) {
      await recordSuccess(tx, webhook.id, delivery.id, outcome)
      return true
    }
    // 410 Gone is how an endpoint unsubscribes (Standard Webhooks).
    if (await recordFailure(tx, webhook.id, delivery, outcome, outcome.status === 410)) {
      const mail = await disabledMail(tx, webhook, deps.settings.publicUrl)
      if (mail !== null) await queueMail(tx, deps, mail)
    }
    return delivery.event === 'webhook.test'
  })
}

async function post(
  { outbound, serverKeys }: Dependencies,
  { url, user_id, secret }: ClaimedWebhook,
  deliveryId: number,
  body: string,
): Promise<AttemptOutcome> {
  const started_at = new Date()
  const startedAt = performance.now()
  const id = `msg_${deliveryId}`
  const signer = new Signer(decrypt(serverKeys.webhook, String(user_id), secret))
  try {
    const { status } = await outbound.send(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Reelmark-Webhooks/1.0',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(started_at.getTime() / 1000)),
        'webhook-signature': signer.sign(id, started_at, body),
      },
      body,
      maxBytes: maxResponseBytes,
    })
    return { status, error: null, started_at }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    // The owner sees when the next attempt begins.
    await hideFailureDuration(error, startedAt)
    return { status: null, error: error.message, started_at }
  }
}

/** Reads what an event is about as it is now, or null if it was deleted or is no longer visible to the user. */
async function readPayload(
  { db, settings: { publicUrl } }: Dependencies,
  { user_id }: ClaimedWebhook,
  { event, bookmark_id, comment_id, report_id, created_at }: WaitingDelivery,
): Promise<WebhookPayload | null> {
  const timestamp = new Date(created_at).toISOString()
  switch (event) {
    case 'bookmark.created': {
      const data = await readBookmark(db, publicUrl, user_id, bookmark_id ?? 0)
      return data && { type: event, timestamp, data }
    }
    case 'comment.created': {
      const data = await readComment(db, publicUrl, user_id, comment_id ?? 0)
      return data && { type: event, timestamp, data }
    }
    case 'report.created': {
      const data = await readReport(db, publicUrl, user_id, report_id ?? 0)
      return data && { type: event, timestamp, data }
    }
    case 'webhook.test':
      return { type: event, timestamp, data: {} }
  }
}
