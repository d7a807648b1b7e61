/** Queries for the webhooks of a user and what they sent. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Webhook, WebhookDelivery } from '@reelmark/contract/webhooks.ts'
import type { Db, Fragment, TransactionSql } from '../../../core/database/database.ts'
import { deleteInBatches } from '../../../core/database/delete-in-batches.ts'
import { splitCount } from '../../../core/http/paging.ts'
import { hasRoom } from './events.ts'

/** Deliveries that one statement deletes. */
const batchSize = 1000

function webhookColumns(db: Db): Fragment {
  return db`w.id, w.url, w.events, w.disabled_at is null as is_enabled, w.created_at, w.failures`
}

function deliveryColumns(db: Db): Fragment {
  return db`d.id, d.event, d.state, d.created_at, d.attempts, d.attempted_at, d.response_status, d.error`
}

export async function listWebhooks(db: Db, userId: number): Promise<Webhook[]> {
  return db<Webhook[]>`
    select ${webhookColumns(db)} from webhooks w where w.user_id = ${userId} order by w.id desc`
}

interface NewWebhook {
  user_id: number
  url: string
  events: readonly string[]
  /** Encrypted. */
  secret: Buffer
}

/** Creates a webhook. Returns null if the user has the maximum number. The lock of the user's row makes the limit exact. */
export async function createWebhook(
  tx: TransactionSql,
  { user_id, url, events, secret }: NewWebhook,
): Promise<Webhook | null> {
  await tx`select from users where id = ${user_id} for no key update`
  const [created] = await tx<Webhook[]>`
    insert into webhooks as w (user_id, url, events, secret)
    select ${user_id}, ${url}, ${events as string[]}::text[], ${secret}
     where (select count(*) from webhooks where user_id = ${user_id}) < ${limits.webhooksMax}
    returning ${webhookColumns(tx)}`
  return created ?? null
}

/**
 * Turns a webhook on or off. Turning it on allows the next attempt at once. Returns null if it does not exist or belongs to
 * another user.
 */
export async function setEnabled(
  db: Db,
  userId: number,
  id: number,
  isEnabled: boolean,
): Promise<Webhook | null> {
  const [changed] = await db<Webhook[]>`
    update webhooks w
       set disabled_at = case when ${isEnabled} then null else coalesce(w.disabled_at, now()) end,
           failures = case when ${isEnabled} then 0 else w.failures end,
           next_attempt_at = case when ${isEnabled} then now() else w.next_attempt_at end
     where w.id = ${id} and w.user_id = ${userId}
    returning ${webhookColumns(db)}`
  return changed ?? null
}

/** Deletes a webhook. Returns false if it does not exist or belongs to another user. */
export async function deleteWebhook(db: Db, userId: number, id: number): Promise<boolean> {
  const removed = await db`delete from webhooks where id = ${id} and user_id = ${userId} returning id`
  return removed.count === 1
}

/**
 * Allows the next attempt at once, also after failures. Returns false if the webhook does not exist or belongs to another
 * user.
 */
export async function attemptNow(db: Db, userId: number, id: number): Promise<boolean> {
  const changed = await db`
    update webhooks set next_attempt_at = now() where id = ${id} and user_id = ${userId} returning id`
  return changed.count === 1
}

/** Queues a test, also for a webhook that is turned off. Returns null if too many events are waiting. */
export async function queueTest(tx: Db, id: number): Promise<WebhookDelivery | null> {
  const [queued] = await tx<WebhookDelivery[]>`
    insert into webhook_deliveries as d (webhook_id, event)
    select w.id, 'webhook.test' from webhooks w where w.id = ${id} and ${hasRoom(tx)}
    returning ${deliveryColumns(tx)}`
  return queued ?? null
}

/**
 * Returns a page of what a webhook of the user sent, newest first, and how much there is; null if the webhook does not exist or
 * belongs to another user. One statement.
 */
export async function listDeliveries(
  db: Db,
  userId: number,
  webhookId: number,
  { skip, size }: { skip: number; size: number },
): Promise<{ count: number; results: WebhookDelivery[] } | null> {
  const rows = await db<(WebhookDelivery & { count: number })[]>`
    select (select count(*) from webhook_deliveries all_of where all_of.webhook_id = w.id) as count, ${deliveryColumns(db)}
      from webhooks w
      left join lateral (
        select * from webhook_deliveries newest where newest.webhook_id = w.id
         order by newest.id desc limit ${size} offset ${skip}) d on true
     where w.id = ${webhookId} and w.user_id = ${userId}
     order by d.id desc`
  return rows.length === 0 ? null : splitCount(rows)
}

/**
 * Queues an event of a user's webhook again and returns it, also if it is waiting already; null if it does not exist or
 * belongs to another user. Locks the delivery before the webhook, as recording an attempt does.
 */
export async function requeueDelivery(
  tx: Db,
  userId: number,
  { id, delivery }: { id: number; delivery: number },
): Promise<WebhookDelivery | null> {
  const [queued] = await tx<WebhookDelivery[]>`
    update webhook_deliveries d set state = 'waiting'
      from webhooks w
     where d.id = ${delivery} and d.webhook_id = w.id and w.id = ${id} and w.user_id = ${userId}
    returning ${deliveryColumns(tx)}`
  if (queued === undefined) return null
  await attemptNow(tx, userId, id)
  return queued
}

/** Deletes the deliveries beyond the retention period, in batches. */
export async function removeOldDeliveries(db: Db): Promise<void> {
  await deleteInBatches(
    batchSize,
    () => db`
      delete from webhook_deliveries where id in (
        select id from webhook_deliveries
         where created_at < now() - make_interval(days => ${limits.webhookLogDays})
         order by created_at limit ${batchSize})`,
  )
}
