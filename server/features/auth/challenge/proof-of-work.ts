/**
 * Challenges that cost their solver computing time (docs/decisions/0021-registration-challenge.md). They are signed,
 * contain nothing about the client and are not stored. A solution is accepted once.
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

type Dependencies = Pick<Deps, 'serverKeys'>

/** A solution that was verified. It can be used once. */
export interface VerifiedSolution {
  signature: string
}

/**
 * Verifies a solution.
 * @throws ApiError('challenge-required') with a new challenge if the solution is missing, wrong or too late
 */
export async function verifyProofOfWork(
  deps: Dependencies,
  altcha: SolvedChallenge | undefined,
): Promise<VerifiedSolution> {
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
 * Marks a solution as used, in the transaction of what it was solved for.
 * @throws ApiError('challenge-required') if it was used before
 */
export async function consumeSolution(
  deps: Dependencies,
  tx: Db,
  { signature }: VerifiedSolution,
): Promise<void> {
  if (!(await consumeOnce(tx, 'proof-of-work', signature))) throw await challengeRequired(deps)
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
