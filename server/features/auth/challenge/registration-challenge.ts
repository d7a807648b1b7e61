/**
 * The proof of work that registration requires during a surge (docs/decisions/0021-registration-challenge.md).
 */
import type { SolvedChallenge } from '@reelmark/contract/challenge.ts'
import type { Deps } from '../../../core/deps.ts'
import { rateLimits } from '../../../core/http/rate-limit-config.ts'
import { type VerifiedSolution, verifyProofOfWork } from './proof-of-work.ts'

type Dependencies = Pick<Deps, 'db' | 'serverKeys' | 'settings'>

/**
 * Verifies the solution if registration currently requires one. Returns null if it does not.
 * @throws ApiError('challenge-required') with a new challenge if the solution is missing, wrong or too late
 */
export async function requireChallenge(
  deps: Dependencies,
  altcha: SolvedChallenge | undefined,
): Promise<VerifiedSolution | null> {
  return (await isChallengeRequired(deps)) ? verifyProofOfWork(deps, altcha) : null
}

/**
 * Returns whether more accounts than the limit were created within the last minutes. Reads the account at that distance
 * from the newest one, by the primary key, whose order is that of registration.
 */
async function isChallengeRequired({ db, settings }: Dependencies): Promise<boolean> {
  const { registrationChallenge: mode, rateLimitScale: scale } = settings
  if (mode !== 'surge' || scale === 0) return mode === 'always'
  const { tokens, seconds } = rateLimits['register-unchallenged']
  const maxUnchallenged = Math.max(1, Math.round(tokens * scale))
  const [account] = await db<{ is_new: boolean }[]>`
    select created_at > now() - make_interval(secs => ${seconds}) as is_new
      from users order by id desc limit 1 offset ${maxUnchallenged - 1}`
  return account?.is_new ?? false
}
