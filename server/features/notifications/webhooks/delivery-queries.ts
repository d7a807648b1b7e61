/** Queries of the job that sends the events of webhooks. */
import type { SentEvent, WebhookBookmark, WebhookPayload } from '@reelmark/contract/webhooks.ts'
import type { Db, Fragment, TransactionSql } from '../../../core/database/database.ts'
import {
  hasLead,
  isHeld,
  isNotRemoved,
  isNotTrashed,
  isShownVideo,
  isVisibleComment,
} from '../../../shared/visibility.ts'
import { leadUnlessBlocked, ownBookmark } from '../shown-events.ts'

/** Seconds after which another process may send the events of a webhook, because the first one has probably died. */
const claimSeconds = 120

/** Minutes before each further attempt. After the last one fails, the webhook is turned off. */
const retryMinutes = [1, 5, 30, 120, 300, 600, 600]

export interface ClaimedWebhook {
  id: number
  user_id: number
  url: string
  /** Encrypted. */
  secret: Buffer
}

/**
 * Claims a webhook, so that one process at a time sends its events, in their order. Returns null if another process has it,
 * if the next attempt is not due, or if its owner is banned.
 */
export async function claimWebhook(db: Db, id: number): Promise<ClaimedWebhook | null> {
  const [claimed] = await db<ClaimedWebhook[]>`
    update webhooks w set claimed_until = now() + make_interval(secs => ${claimSeconds})
      from users u
     where w.id = ${id} and u.id = w.user_id and u.banned_at is null
       and (w.claimed_until is null or w.claimed_until < now()) and w.next_attempt_at <= now()
    returning w.id, w.user_id, w.url, w.secret`
  return claimed ?? null
}

export async function releaseWebhook(db: Db, id: number): Promise<void> {
  await db`update webhooks set claimed_until = null where id = ${id}`
}

export interface WaitingDelivery {
  id: number
  event: SentEvent
  bookmark_id: number | null
  comment_id: number | null
  report_id: number | null
  created_at: string
}

/** Returns the oldest waiting event; of a webhook that is turned off only tests. Null if the owner is banned. */
export async function nextDelivery(db: Db, webhookId: number): Promise<WaitingDelivery | null> {
  const [next] = await db<WaitingDelivery[]>`
    select d.id, d.event, d.bookmark_id, d.comment_id, d.report_id, d.created_at
      from webhook_deliveries d join webhooks w on w.id = d.webhook_id join users u on u.id = w.user_id
     where d.webhook_id = ${webhookId} and d.state = 'waiting' and u.banned_at is null
       and (w.disabled_at is null or d.event = 'webhook.test')
     order by d.id limit 1`
  return next ?? null
}

/** Marks an event as skipped, because there is nothing to send any more. */
export async function skipDelivery(db: Db, id: number): Promise<void> {
  await db`update webhook_deliveries set state = 'skipped' where id = ${id}`
}

export interface AttemptOutcome {
  /** Null without a response. */
  status: number | null
  error: string | null
  started_at: Date
}

/** Records a successful attempt. */
export async function recordSuccess(
  tx: TransactionSql,
  webhookId: number,
  deliveryId: number,
  outcome: AttemptOutcome,
): Promise<void> {
  await recordAttempt(tx, deliveryId, tx`'delivered'`, outcome)
  await tx`update webhooks set failures = 0 where id = ${webhookId}`
}

/**
 * Records a failed attempt and sets the time of the next one. A failed test is not repeated. Turns the webhook off after the
 * last attempt, or at once if `endsWebhook`, and gives up what is waiting then.
 * @returns whether this turned the webhook off
 */
export async function recordFailure(
  tx: TransactionSql,
  webhookId: number,
  { id, event }: WaitingDelivery,
  outcome: AttemptOutcome,
  endsWebhook: boolean,
): Promise<boolean> {
  const isTest = event === 'webhook.test'
  await recordAttempt(tx, id, isTest ? tx`'failed'` : tx`'waiting'`, outcome)
  if (isTest) return false
  const [webhook] = await tx<[{ is_off: boolean }?]>`
    update webhooks
       set failures = failures + 1,
           next_attempt_at = now() + make_interval(mins => coalesce((${retryMinutes}::int[])[failures + 1], 0)),
           disabled_at = case when ${endsWebhook} or failures >= ${retryMinutes.length} then now() end
     where id = ${webhookId} and disabled_at is null
    returning disabled_at is not null as is_off`
  if (webhook?.is_off !== true) return false
  await tx`update webhook_deliveries set state = 'failed' where webhook_id = ${webhookId} and state = 'waiting'`
  return true
}

async function recordAttempt(
  tx: TransactionSql,
  id: number,
  state: Fragment,
  { status, error, started_at }: AttemptOutcome,
): Promise<void> {
  await tx`
    update webhook_deliveries
       set state = ${state}, attempts = attempts + 1, attempted_at = ${started_at}, response_status = ${status}, error = ${error}
     where id = ${id}`
}

/**
 * Returns webhooks with waiting events that no process sends although they are due. Steps through the index of waiting events
 * from one webhook to the next: webhooks without such events, which are most, are not read.
 */
export async function findDueWebhooks(db: Db): Promise<number[]> {
  const due = await db<{ id: number }[]>`
    with recursive waiting (webhook_id) as (
      select min(webhook_id) from webhook_deliveries where state = 'waiting'
      union all
      select (select min(d.webhook_id) from webhook_deliveries d
               where d.state = 'waiting' and d.webhook_id > waiting.webhook_id)
        from waiting where waiting.webhook_id is not null)
    select w.id from waiting join webhooks w on w.id = waiting.webhook_id join users u on u.id = w.user_id
     where u.banned_at is null and w.next_attempt_at <= now() and (w.claimed_until is null or w.claimed_until < now())
       and exists (select from webhook_deliveries d
                    where d.webhook_id = w.id and d.state = 'waiting'
                      and (w.disabled_at is null or d.event = 'webhook.test'))
     limit 1000`
  return due.map(({ id }) => id)
}

type Data<Event extends SentEvent> = Extract<WebhookPayload, { type: Event }>['data']

/** Returns a bookmark that its owner sees in their library, or null. */
export async function readBookmark(
  db: Db,
  publicUrl: string,
  userId: number,
  bookmarkId: number,
): Promise<Data<'bookmark.created'> | null> {
  const [bookmark] = await db<WebhookBookmark[]>`
    select ${bookmarkColumns(db, publicUrl)}
      from bookmarks b join videos v on v.id = b.video_id join users u on u.id = b.user_id
     where b.id = ${bookmarkId} and b.user_id = ${userId} and ${isNotTrashed(db)} and ${isNotRemoved(db)}`
  return bookmark === undefined ? null : { bookmark }
}

/**
 * Returns a visible comment with the bookmark that represents its video, or with the user's own one if a block separates the
 * user from its owner. Returns null without such a comment or bookmark.
 */
export async function readComment(
  db: Db,
  publicUrl: string,
  userId: number,
  commentId: number,
): Promise<Data<'comment.created'> | null> {
  const userParameter = db`${userId}::bigint`
  const [found] = await db<(WebhookBookmark & { comment: Data<'comment.created'>['comment'] })[]>`
    select ${bookmarkColumns(db, publicUrl)},
           json_build_object('id', c.id, 'content', c.content, 'username', author.username, 'parent_id', c.parent_id) as comment
      from comments c
      join users author on author.id = c.user_id and author.banned_at is null
      join videos v on v.id = c.video_id and ${isShownVideo(db)} and ${hasLead(db)}
      join bookmarks b on b.id = coalesce(${leadUnlessBlocked(db, userParameter)}, ${ownBookmark(db, userParameter)})
      join users u on u.id = b.user_id
     where c.id = ${commentId} and ${isVisibleComment(db)} and not is_blocked_between(c.user_id, ${userId})
       and not ${isHeld(db)}`
  if (found === undefined) return null
  const { comment, ...bookmark } = found
  return { comment, bookmark }
}

/** Returns an open report, or null if it was decided or the user is no longer a moderator. */
export async function readReport(
  db: Db,
  publicUrl: string,
  userId: number,
  reportId: number,
): Promise<Data<'report.created'> | null> {
  const [report] = await db<Data<'report.created'>['report'][]>`
    select r.id, r.report_type, r.target_kind, ${`${publicUrl}/moderator`} as url from reports r
     where r.id = ${reportId} and r.status = 'open'
       and exists (select from users u where u.id = ${userId} and u.is_moderator)`
  return report === undefined ? null : { report }
}

/** The columns of bookmarks `b` of videos `v` and owners `u` that events contain. */
function bookmarkColumns(db: Db, publicUrl: string): Fragment {
  return db`b.id, ${publicUrl} || '/bookmarks/' || b.id as url, b.title, v.source_url, b.access, u.username`
}
