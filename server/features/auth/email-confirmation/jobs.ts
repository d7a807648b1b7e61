import { hashOpaqueToken, newOpaqueToken } from '../../../core/auth/hash-token.ts'
import type { TransactionSql } from '../../../core/database/database.ts'
import type { JobQueue } from '../../../core/database/jobs.ts'
import type { Deps } from '../../../core/deps.ts'
import { queueSecurityMail } from '../mails/queue-security-mail.ts'
import { lockUnconfirmedEmail, startConfirmation } from './queries.ts'

type Dependencies = Pick<Deps, 'db' | 'jobs' | 'serverKeys' | 'settings'>

/** Queued for every address that a user enters, whether or not another account has it. */
export const confirmEmailJob = { name: 'confirm-email' }

interface ConfirmationRequest {
  user_id: number
  email: string
}

export function confirmEmailQueue(deps: Dependencies): JobQueue<ConfirmationRequest> {
  return {
    ...confirmEmailJob,
    retries: 5,
    seconds: 60,
    concurrency: 2,
    work: (request) => deps.db.begin((tx) => mailConfirmation(tx, deps, request)),
  }
}

/**
 * Mails the link that confirms an address, or, if another account has confirmed it already, informs the owner of that
 * account.
 */
export async function mailConfirmation(
  tx: TransactionSql,
  deps: Dependencies,
  request: ConfirmationRequest,
): Promise<void> {
  const unconfirmed = await lockUnconfirmedEmail(tx, request)
  if (unconfirmed === null || unconfirmed.owner?.is_banned) return
  if (unconfirmed.owner !== null) {
    await queueSecurityMail(tx, deps, 'email taken', { to: unconfirmed.owner.email })
    return
  }
  await queueSecurityMail(tx, deps, 'confirm email', {
    to: request.email,
    createPath: async () => {
      const token = newOpaqueToken()
      await startConfirmation(tx, { ...request, token_hash: hashOpaqueToken(token) })
      return confirmEmailPath(token)
    },
  })
}

/** Returns the path of the link that confirms an e-mail address, below PUBLIC_URL. */
function confirmEmailPath(token: string): string {
  return `/confirm-email/${token}`
}
