/** Queues events for webhooks, in the transaction of their cause. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { WebhookEvent } from '@reelmark/contract/webhooks.ts'
import type { Db, Fragment } from '../../../core/database/database.ts'
import type { Jobs } from '../../../core/database/jobs.ts'
import { leadOwnerId } from '../notify.ts'

/** Sent in the transaction that queues an event, and by `resume-webhooks`. */
export const deliverWebhookJob = { name: 'deliver-webhook' }

/** Queues `bookmark.created` for the webhooks of the user who saved the bookmark. */
export async function announceBookmark(
  tx: Db,
  jobs: Jobs,
  { actor_id, bookmark_id }: { actor_id: number; bookmark_id: number },
): Promise<void> {
  await queueEvent(tx, jobs, 'bookmark.created', { receivers: tx`w.user_id = ${actor_id}`, bookmark_id })
}

/**
 * Queues `comment.created` for the webhooks of the user who saved the video first and, for a reply, of the author of the
 * comment; not for users whom a block or a mute separates from the author.
 */
export async function announceComment(
  tx: Db,
  jobs: Jobs,
  { actor_id, video_id, comment_id }: { actor_id: number; video_id: number; comment_id: number },
): Promise<void> {
  await queueEvent(tx, jobs, 'comment.created', {
    receivers: tx`
      w.user_id in (
        select ${leadOwnerId(tx, video_id)}
        union all
        select parent.user_id from comments c join comments parent on parent.id = c.parent_id where c.id = ${comment_id})
      and w.user_id <> ${actor_id} and not is_blocked_between(w.user_id, ${actor_id})
      and not exists (select from mutes m where m.user_id = w.user_id and m.muted_id = ${actor_id})`,
    comment_id,
  })
}

/** Queues `report.created` for the webhooks of moderators, except those of the reporter. */
export async function announceReport(
  tx: Db,
  jobs: Jobs,
  { actor_id, report_id }: { actor_id: number; report_id: number },
): Promise<void> {
  await queueEvent(tx, jobs, 'report.created', {
    // The event is written out, so that the partial index for reports is used.
    receivers: tx`w.events @> '{report.created}' and u.is_moderator and w.user_id <> ${actor_id}`,
    report_id,
  })
}

interface Subject {
  /** Condition on webhooks `w` of users `u`. */
  receivers: Fragment
  bookmark_id?: number
  comment_id?: number
  report_id?: number
}

/**
 * Inserts a delivery for each receiver, and sends a job for those without other waiting events: the others have a job, or
 * `resume-webhooks` sends one. Jobs would otherwise wait behind thousands of those of one user.
 */
async function queueEvent(tx: Db, jobs: Jobs, event: WebhookEvent, subject: Subject): Promise<void> {
  const { receivers, bookmark_id = null, comment_id = null, report_id = null } = subject
  const queued = await tx<{ webhook_id: number; is_first: boolean }[]>`
    insert into webhook_deliveries as d (webhook_id, event, bookmark_id, comment_id, report_id)
    select w.id, ${event}, ${bookmark_id}::bigint, ${comment_id}::bigint, ${report_id}::bigint
      from webhooks w join users u on u.id = w.user_id
     where w.events @> array[${event}] and w.disabled_at is null and u.banned_at is null
       and ${receivers} and ${hasRoom(tx)}
    returning d.webhook_id, not exists (
      select from webhook_deliveries waiting where waiting.webhook_id = d.webhook_id and waiting.state = 'waiting') as is_first`
  const first = queued.filter(({ is_first }) => is_first)
  await jobs.sendMany(
    tx,
    deliverWebhookJob,
    first.map(({ webhook_id }) => ({ webhook_id })),
  )
}

/** Returns a condition: fewer events of webhook `w` are waiting than the limit. */
export function hasRoom(db: Db): Fragment {
  return db`(
    select count(*) from webhook_deliveries waiting
     where waiting.webhook_id = w.id and waiting.state = 'waiting') < ${limits.webhookWaitingMax}`
}
