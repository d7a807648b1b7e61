import { hashOpaqueToken, newOpaqueToken } from '../../../core/auth/hash-token.ts'
import type { JobQueue } from '../../../core/database/jobs.ts'
import type { Deps } from '../../../core/deps.ts'
import { mailConfirmation } from '../email-confirmation/jobs.ts'
import { findUnconfirmedUser } from '../email-confirmation/queries.ts'
import { queueSecurityMail } from '../mails/queue-security-mail.ts'
import { createReset, lockUserForReset } from './queries.ts'
import { resetPath } from './rules.ts'

/** Queued for every e-mail address entered in the form, whether or not an account has it. */
export const passwordResetJob = { name: 'password-reset' }

type Dependencies = Pick<Deps, 'db' | 'jobs' | 'serverKeys' | 'settings'>

export function passwordResetQueue(deps: Dependencies): JobQueue<{ email: string }> {
  return {
    ...passwordResetJob,
    retries: 5,
    seconds: 60,
    concurrency: 2,
    work: ({ email }) => sendPasswordReset(deps, email),
  }
}

/**
 * Mails a reset link to the account that confirmed an address. If none did, the newest account that has yet to confirm it
 * gets its confirmation mail again, which is the only mail that an unconfirmed address may get; the user can then request
 * the reset again.
 */
async function sendPasswordReset(deps: Dependencies, email: string): Promise<void> {
  await deps.db.begin(async (tx) => {
    const owner = await lockUserForReset(tx, email)
    if (owner !== null) {
      await queueSecurityMail(tx, deps, 'reset password', {
        to: owner.email,
        createPath: async () => {
          const token = newOpaqueToken()
          await createReset(tx, { user_id: owner.id, token_hash: hashOpaqueToken(token) })
          return resetPath(owner.id, token)
        },
      })
      return
    }
    const unconfirmed = await findUnconfirmedUser(tx, email)
    if (unconfirmed !== null) await mailConfirmation(tx, deps, unconfirmed)
  })
}
