import * as limits from '@reelmark/contract/protocol/limits.ts'
import { hashOpaqueToken, newOpaqueToken } from '../../../core/auth/hash-token.ts'
import type { JobQueue } from '../../../core/database/jobs.ts'
import type { Deps } from '../../../core/deps.ts'
import { rateLimits } from '../../../core/http/rate-limit-config.ts'
import { queueMail } from '../../../core/mail/mail-queue.ts'
import { emailChangeQueue } from '../email-change/routes.ts'
import { passwordResetMail } from '../passwords/mails.ts'
import { createReset, lockUserForReset } from '../passwords/queries.ts'
import { resetPath } from '../passwords/rules.ts'
import { removeExpired } from './queries.ts'
import { unfinishedRemovalsQueue } from './remove-account.ts'

/** Queued for every e-mail address entered in the form, whether or not an account has it. */
export const passwordResetJob = { name: 'password-reset' }

type Dependencies = Pick<Deps, 'db' | 'jobs' | 'serverKeys' | 'settings' | 'media'>

/** Returns the jobs of accounts. */
// biome-ignore lint/suspicious/noExplicitAny: each queue has its own data; send() and work() agree through JobQueue.
export function accountQueues(deps: Dependencies): JobQueue<any>[] {
  return [
    emailChangeQueue(deps),
    unfinishedRemovalsQueue(deps),
    {
      ...passwordResetJob,
      retries: 5,
      seconds: 60,
      concurrency: 2,
      work: ({ email }: { email: string }) => sendPasswordReset(deps, email),
    },
    {
      name: 'remove-expired',
      retries: 3,
      seconds: 600,
      cron: '23 * * * *',
      concurrency: 1,
      work: async () => {
        await removeExpired(deps.db)
      },
    },
  ]
}

/**
 * Mails a reset link to the account with an e-mail address. Does nothing if there is no such account or it has too many
 * links that are still valid.
 */
async function sendPasswordReset(deps: Dependencies, email: string): Promise<void> {
  const { db, settings } = deps
  const { rateLimitScale: scale, publicUrl } = settings
  await db.begin(async (tx) => {
    const owner = await lockUserForReset(tx, email)
    if (owner === null) return
    const token = newOpaqueToken()
    const maxOpenResets =
      scale === 0 ? null : Math.max(1, Math.round(rateLimits['password-reset-mail'].tokens * scale))
    if (!(await createReset(tx, { user_id: owner.id, token_hash: hashOpaqueToken(token), maxOpenResets })))
      return
    const mail = passwordResetMail(owner, resetPath(owner.id, token), publicUrl)
    await queueMail(tx, deps, mail, { usefulFor: limits.passwordResetSeconds })
  })
}
