/** Scheduled jobs: sending digests and deleting old notifications. */

import type { SwitchableKind } from '@reelmark/contract/profiles.ts'
import { deleteInBatches } from '../../core/database/delete-in-batches.ts'
import type { JobQueue } from '../../core/database/jobs.ts'
import type { Deps } from '../../core/deps.ts'
import { queueMail } from '../../core/mail/mail-queue.ts'
import { digestMail } from './digest-mail.ts'
import { claimDigest, countNewlyMissing, findDueUsers } from './digest-queries.ts'
import { countForDigest, removeOldBatch } from './queries.ts'
import { unsubscribeToken } from './unsubscribe-routes.ts'

type Dependencies = Pick<Deps, 'db' | 'jobs' | 'serverKeys' | 'settings'>

const batchSize = 200

export function notificationQueues(deps: Dependencies): JobQueue<object>[] {
  return [
    {
      name: 'send-digests',
      cron: '7 7 * * *',
      retries: 3,
      seconds: 3600,
      concurrency: 1,
      work: async () => {
        await sendDigests(deps)
      },
    },
    {
      name: 'remove-old-notifications',
      cron: '41 3 * * *',
      retries: 3,
      seconds: 3600,
      concurrency: 1,
      work: async () => {
        await removeOldNotifications(deps)
      },
    },
  ]
}

/** Queues a digest for each user who is due and has unread notifications or videos that are gone. Returns the number of mails. */
export async function sendDigests(deps: Dependencies): Promise<number> {
  let sent = 0
  let due = await findDueUsers(deps.db, 0, batchSize)
  while (due.length > 0) {
    for (const id of due) if (await sendDigest(deps, id)) sent += 1
    due = await findDueUsers(deps.db, due.at(-1) ?? 0, batchSize)
  }
  return sent
}

/**
 * Queues one digest. Marking it as sent and queueing the mail share a transaction, so that no user gets it twice or not
 * at all.
 */
async function sendDigest(
  { db, jobs, serverKeys, settings }: Dependencies,
  userId: number,
): Promise<boolean> {
  return db.begin(async (tx) => {
    const recipient = await claimDigest(tx, userId)
    if (recipient === null) return false
    const counts = await countForDigest(tx, userId, recipient.since)
    const missing = await countNewlyMissing(tx, userId, recipient.since)
    if (counts.length === 0 && missing === 0) return false
    const unsubscribeLink = (kind: SwitchableKind | null) =>
      `${settings.publicUrl}/unsubscribe/${unsubscribeToken(serverKeys.unsubscribe, { userId, kind })}`
    const mail = digestMail(recipient, { counts, missing }, unsubscribeLink, settings.publicUrl)
    await queueMail(tx, { jobs, serverKeys }, mail)
    return true
  })
}

/** Deletes the notifications beyond the retention period in batches. Returns their number. */
export function removeOldNotifications({ db }: Pick<Dependencies, 'db'>): Promise<number> {
  return deleteInBatches(batchSize, () => removeOldBatch(db, batchSize))
}
