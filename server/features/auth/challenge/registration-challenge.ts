/**
 * The proof of work that registering takes while many do (docs/decisions/0021-registration-challenge.md). A challenge is
 * signed, says nothing about anybody and is kept nowhere; its solution makes one account.
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

/** A solution that was looked at; it is good once. */
export interface VerifiedSolution {
  signature: string
}

/**
 * Asks for a challenge to be solved where registering takes one now. Null: it does not.
 * @throws ApiError('challenge-required') with a new challenge, also where the solution is none, or its time is over.
 */
export async function requireChallenge(
  needs: Dependencies,
  altcha: SolvedChallenge | undefined,
): Promise<VerifiedSolution | null> {
  if (!(await isChallengeRequired(needs))) return null
  if (altcha === undefined) throw await challengeRequired(needs)
  const { challenge, solution } = altcha
  const { verified } = await verifySolution({
    challenge,
    solution: { time: 0, ...solution },
    deriveKey,
    ...challengeKeys(needs.serverKeys),
  })
  if (!verified) throw await challengeRequired(needs)
  return { signature: challenge.signature }
}

/**
 * In the transaction that makes the account.
 * @throws ApiError('challenge-required') where an account was made with it already.
 */
export async function consumeSolution(
  needs: Dependencies,
  tx: Db,
  { signature }: VerifiedSolution,
): Promise<void> {
  if (!(await consumeOnce(tx, 'registration-challenge', signature))) throw await challengeRequired(needs)
}

/**
 * Whether the account that is so many before the newest is of the last minutes, too: read off the end of the primary
 * key, whose order is that of registering.
 */
async function isChallengeRequired({ db, settings }: Dependencies): Promise<boolean> {
  const { registrationChallenge: when, rateLimitScale: scale } = settings
  if (when !== 'surge' || scale === 0) return when === 'always'
  const { tokens, seconds } = rateLimits['register-unchallenged']
  const most = Math.max(1, Math.round(tokens * scale))
  const [account] = await db<{ is_new: boolean }[]>`
    select created_at > now() - make_interval(secs => ${seconds}) as is_new
      from users order by id desc limit 1 offset ${most - 1}`
  return account?.is_new ?? false
}

async function challengeRequired({ serverKeys }: Dependencies): Promise<ApiError> {
  const challenge = await createChallenge({
    // Browsers have it built in, and do it away from the page's own thread.
    algorithm: 'PBKDF2/SHA-256',
    cost: 10_000,
    counter: randomInt(limits.challengeTriesMax),
    deriveKey,
    expiresAt: new Date(Date.now() + limits.ticketSeconds * 1000),
    ...challengeKeys(serverKeys),
  })
  return new ApiError('challenge-required', { challenge })
}

/** The second signs the key to be found, so that a solution is looked at without the work. */
function challengeKeys(keys: ServerKeys) {
  const key = keys['registration-challenge']
  const secret = (of: string) => createHmac('sha256', key).update(of).digest('hex')
  return { hmacSignatureSecret: secret('challenge'), hmacKeySignatureSecret: secret('key') }
}
