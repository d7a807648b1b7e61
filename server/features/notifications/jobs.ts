/** By the clock: mails of what is unread, and what is old goes. */

import type { JobQueue } from '../../core/database/jobs.ts'
import type { Deps } from '../../core/deps.ts'
import { queueMail } from '../../core/mail/mail-queue.ts'
import { digestMail, digestMaxItems } from './digest-mail.ts'
import { claimDigest, findDue } from './digest-queries.ts'
import { listUnreadSince, removeOldBatch } from './queries.ts'
import { unsubscribeToken } from './unsubscribe-routes.ts'

type Dependencies = Pick<Deps, 'db' | 'jobs' | 'serverKeys' | 'settings'>

const batch = 200

export function notificationQueues(needs: Dependencies): JobQueue<object>[] {
  return [
    {
      name: 'send-digests',
      cron: '7 7 * * *',
      retries: 3,
      seconds: 3600,
      concurrency: 1,
      work: async () => {
        await sendDigests(needs)
      },
    },
    {
      name: 'remove-old-notifications',
      cron: '41 3 * * *',
      retries: 3,
      seconds: 3600,
      concurrency: 1,
      work: async () => {
        await removeOldNotifications(needs)
      },
    },
  ]
}

/** Mails everybody whose turn it is and who has something unread. @returns how many mails. */
export async function sendDigests(needs: Dependencies): Promise<number> {
  let sent = 0
  let due = await findDue(needs.db, 0, batch)
  while (due.length > 0) {
    for (const id of due) if (await sendDigest(needs, id)) sent += 1
    due = await findDue(needs.db, due.at(-1) ?? 0, batch)
  }
  return sent
}

/** A transaction for each: the turn is taken with the mail, so that nobody gets two and nobody is left out. */
async function sendDigest(
  { db, jobs, serverKeys, settings }: Dependencies,
  userId: number,
): Promise<boolean> {
  return db.begin(async (tx) => {
    const receiver = await claimDigest(tx, userId)
    if (receiver === null) return false
    const unread = await listUnreadSince(tx, userId, receiver.since, digestMaxItems)
    if (unread.count === 0) return false
    const path = `/unsubscribe/${unsubscribeToken(serverKeys.unsubscribe, userId)}`
    await queueMail(tx, { jobs, serverKeys }, digestMail(receiver, unread, path, settings.publicUrl))
    return true
  })
}

/** @returns how many went. */
export async function removeOldNotifications({ db }: Pick<Dependencies, 'db'>): Promise<number> {
  let removed = 0
  let count: number
  do {
    count = await removeOldBatch(db, batch)
    removed += count
  } while (count === batch)
  return removed
}
