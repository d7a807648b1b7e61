import { limits } from '@reelmark/contract/limits.ts'
import type { Deps } from '../../app.ts'
import type { JobQueue } from '../../core/jobs.ts'
import { queueMail } from '../../core/mail-queue.ts'
import { newOpaqueToken, opaqueTokenHash } from '../../core/opaque-tokens.ts'
import { rateLimits } from '../../core/rate-limit-table.ts'
import { leftAccountsQueue } from './account-removal.ts'
import { emailChangeQueue } from './email-change-routes.ts'
import { resetMail } from './password-mails.ts'
import { lockResettable, openReset } from './password-queries.ts'
import { removeExpired } from './queries.ts'
import { resetPath } from './rules.ts'

/** Sent for every e-mail that somebody types in, of an account or not. */
export const passwordReset = { name: 'password-reset' }

type Needs = Pick<Deps, 'db' | 'jobs' | 'serverKeys' | 'settings' | 'media'>

/** What accounts need done behind a request, or by the clock. */
// biome-ignore lint/suspicious/noExplicitAny: each queue has its own data; send() and work() agree through JobQueue.
export function accountsQueues(needs: Needs): JobQueue<any>[] {
  return [
    emailChangeQueue(needs),
    leftAccountsQueue(needs),
    {
      ...passwordReset,
      retries: 5,
      seconds: 60,
      concurrency: 2,
      work: ({ email }: { email: string }) => sendReset(needs, email),
    },
    {
      name: 'remove-expired',
      retries: 3,
      seconds: 600,
      cron: '23 * * * *',
      concurrency: 1,
      work: async () => {
        await removeExpired(needs.db)
      },
    },
  ]
}

/** Mails a link to the address that the account has, as it has it; silently not where there is none, or too often. */
async function sendReset(deps: Needs, email: string): Promise<void> {
  const { db, settings } = deps
  const { rateLimitScale: scale, publicUrl } = settings
  await db.begin(async (tx) => {
    const owner = await lockResettable(tx, email)
    if (owner === null) return
    const token = newOpaqueToken()
    const most =
      scale === 0 ? null : Math.max(1, Math.round(rateLimits['password reset mail'].tokens * scale))
    if (!(await openReset(tx, { user_id: owner.id, token_hash: opaqueTokenHash(token), most }))) return
    const mail = resetMail(owner, resetPath(owner.id, token), publicUrl)
    await queueMail(tx, deps, mail, { usefulFor: limits.passwordResetSeconds })
  })
}
