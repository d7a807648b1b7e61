import { type Registration, register } from '@reelmark/contract/accounts.ts'
import type { Challenge, ChallengeRequired, SolvedChallenge } from '@reelmark/contract/challenge.ts'
import { api } from '../../../shared/api/api.ts'
import { errorBody, isApiError } from '../../../shared/errors/api-error.ts'

/** Where the site wants to know that it is no robot, and could not be told; the message is for people. */
export class ChallengeFailed extends Error {
  override readonly name = 'NotChecked'
}

/** What one form has solved: good until an account is made with it. */
export interface ChallengeState {
  altcha?: SolvedChallenge
}

interface RegisterOptions {
  challengeState: ChallengeState
  /** Ends the solving, and nothing that was sent. */
  signal: AbortSignal
  /** While a challenge is being solved: the percentage. */
  onProgress: (percent: number) => void
}

/** A solution that came too late is followed by another. */
const maxChallenges = 3

/**
 * Registers, and solves what is asked for on the way.
 * @throws CallError, NotChecked.
 */
export async function registerWithChallenge(
  values: Registration,
  { challengeState, signal, onProgress }: RegisterOptions,
): Promise<void> {
  for (let challenges = 0; ; challenges++) {
    try {
      await api(register, { body: { ...values, ...challengeState } })
      return
    } catch (error) {
      const challenge = readChallenge(error)
      if (challenge === null) throw error
      delete challengeState.altcha
      if (challenges === maxChallenges) throw challengeFailed()
      // Browsers have no `subtle` where the page came over plain HTTP.
      if (crypto.subtle === undefined) {
        throw new ChallengeFailed('Sign-up requires a secure connection (HTTPS).')
      }
      onProgress(0)
      const { solveAltcha: solve } = await import('./solve-challenge.ts')
      const altcha = await solve(challenge, onProgress, signal)
      if (altcha === null) throw challengeFailed()
      challengeState.altcha = altcha
      onProgress(100)
    }
  }
}

function challengeFailed(): ChallengeFailed {
  return new ChallengeFailed("Couldn't verify you're human. Try again.")
}

/** Returns the challenge to solve, or null for other errors. */
function readChallenge(error: unknown): Challenge | null {
  if (!isApiError(error, 'challenge-required')) return null
  return (errorBody(error) as Partial<ChallengeRequired>).challenge ?? null
}
