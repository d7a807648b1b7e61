import * as limits from '@reelmark/contract/protocol/limits.ts'
import { hashOpaqueToken, newOpaqueToken } from '../../../core/auth/hash-token.ts'
import type { JobQueue } from '../../../core/database/jobs.ts'
import type { Deps } from '../../../core/deps.ts'
import { rateLimits } from '../../../core/http/rate-limit-config.ts'
import { queueMail } from '../../../core/mail/mail-queue.ts'
import { passwordResetMail } from './mails.ts'
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
