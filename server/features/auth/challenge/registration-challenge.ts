/**
 * The proof of work that registration requires during a surge (docs/decisions/0021-registration-challenge.md).
 * Challenges are signed, contain nothing about the client and are not stored. A solution creates one account.
 */
import { createHmac } from 'node:crypto'
import type { SolvedChallenge } from '@reelmark/contract/challenge.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { consumeOnce } from '../../../core/auth/one-time-tickets.ts'
import type { ServerKeys } from '../../../core/auth/server-keys.ts'
import type { Db } from '../../../core/database/database.ts'
import type { Deps } from '../../../core/deps.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { rateLimits } from '../../../core/http/rate-limit-config.ts'

type Dependencies = Pick<Deps, 'db' | 'serverKeys' | 'settings'>

/** A solution that was verified. It can be used once. */
export interface VerifiedSolution {
  signature: string
}

/**
 * Verifies the solution if registration currently requires one. Returns null if it does not.
 * @throws ApiError('challenge-required') with a new challenge if the solution is missing, wrong or too late
 */
export async function requireChallenge(
  deps: Dependencies,
  altcha: SolvedChallenge | undefined,
): Promise<VerifiedSolution | null> {
  if (!(await isChallengeRequired(deps))) return null
  if (altcha === undefined) throw await challengeRequired(deps)
  const { challenge, solution } = altcha
  const { verified } = await verifySolution({
    challenge,
    solution: { time: 0, ...solution },
    deriveKey,
    ...challengeKeys(deps.serverKeys),
  })
  if (!verified) throw await challengeRequired(deps)
  return { signature: challenge.signature }
}

/**
 * Marks a solution as used, in the transaction that creates the account.
 * @throws ApiError('challenge-required') if another account was created with it
 */
export async function consumeSolution(
  deps: Dependencies,
  tx: Db,
  { signature }: VerifiedSolution,
): Promise<void> {
  if (!(await consumeOnce(tx, 'registration-challenge', signature))) throw await challengeRequired(deps)
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

async function challengeRequired({ serverKeys }: Dependencies): Promise<ApiError> {
  const challenge = await createChallenge({
    // Browsers implement it natively and can compute it in a worker.
    algorithm: 'PBKDF2/SHA-256',
    cost: 10_000,
    counter: randomInt(limits.challengeTriesMax),
    deriveKey,
    expiresAt: new Date(Date.now() + limits.ticketSeconds * 1000),
    ...challengeKeys(serverKeys),
  })
  return new ApiError('challenge-required', { challenge })
}

/** Returns the signing keys. The second one signs the key to be found, so that verifying takes no work. */
function challengeKeys(keys: ServerKeys) {
  const key = keys['registration-challenge']
  const secret = (purpose: string) => createHmac('sha256', key).update(purpose).digest('hex')
  return { hmacSignatureSecret: secret('challenge'), hmacKeySignatureSecret: secret('key') }
}
