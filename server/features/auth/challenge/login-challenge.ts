/**
 * The proof of work that logins from unknown devices require after many wrong passwords for one account. It slows down
 * guessing from many addresses and still lets the owner log in anywhere (docs/decisions/0032-sign-in-strength.md).
 */
import type { SolvedChallenge } from '@reelmark/contract/challenge.ts'
import type { ExceededAccountLimit } from '../../../core/auth/login-throttle.ts'
import type { JobQueue } from '../../../core/database/jobs.ts'
import type { Deps } from '../../../core/deps.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { rateLimits } from '../../../core/http/rate-limit-config.ts'
import { consumeToken } from '../../../core/http/rate-limits.ts'
import { queueSecurityMail } from '../mails/queue-security-mail.ts'
import { consumeSolution, verifyProofOfWork } from './proof-of-work.ts'

type Dependencies = Pick<Deps, 'db' | 'jobs' | 'serverKeys' | 'settings'>

/** Queued for every name above the limit, whether or not an account has it. */
const failedLoginsJob = { name: 'failed-logins-mail' }

/**
 * Uses up the solution of a challenge. Does the same whether or not the account exists.
 * @param userId null if it does not exist
 * @throws ApiError('challenge-required') with a challenge if the solution is missing, wrong or was used before
 * @throws ApiError('login-rate-limited') if the site's visitors cannot solve challenges
 */
export async function requireLoginChallenge(
  deps: Dependencies,
  { accountKey, retryAfter }: ExceededAccountLimit,
  userId: number | null,
  altcha: SolvedChallenge | undefined,
): Promise<void> {
  const { db, jobs, settings } = deps
  const key = `failed logins job ${accountKey}`
  if ((await consumeToken(db, key, rateLimits['failed-logins-mail'], 1)) === 0)
    await jobs.send(db, failedLoginsJob, { user_id: userId })
  if (settings.registrationChallenge === 'off') throw new ApiError('login-rate-limited', {}, retryAfter)
  await consumeSolution(deps, db, await verifyProofOfWork(deps, altcha))
}

export function failedLoginsQueue(deps: Dependencies): JobQueue<{ user_id: number | null }> {
  return {
    ...failedLoginsJob,
    retries: 5,
    seconds: 60,
    concurrency: 1,
    work: ({ user_id }) => mailFailedLogins(deps, user_id),
  }
}

/** Mails the owner of an account at most once a day: an attacker may use the username and the e-mail address. */
async function mailFailedLogins(deps: Dependencies, userId: number | null): Promise<void> {
  await deps.db.begin(async (tx) => {
    const [owner] = await tx<{ email: string }[]>`
      select email from users
       where id = ${userId} and email_confirmed_at is not null and banned_at is null`
    if (owner === undefined) return
    const wait = await consumeToken(tx, `failed logins mail ${userId}`, rateLimits['failed-logins-mail'], 1)
    if (wait === 0) await queueSecurityMail(tx, deps, 'logins failing', { to: owner.email })
  })
}
