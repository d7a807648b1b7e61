import type { Challenge, ChallengeRequired, SolvedChallenge } from '@reelmark/contract/challenge.ts'
import { errorBody, isApiError } from '../../../shared/errors/api-error.ts'

/** Thrown when no solution of the server's challenge was accepted. The message is shown to the user. */
export class ChallengeFailed extends Error {
  override readonly name = 'ChallengeFailed'
}

/** The solution found by one form. It can be reused until the server has accepted it. */
export interface ChallengeState {
  altcha?: SolvedChallenge
}

interface ChallengeOptions {
  challengeState: ChallengeState
  /** Stops solving the challenge, but no request. */
  signal: AbortSignal
  /** Runs while a challenge is being solved. */
  onProgress: (percent: number) => void
}

/** A solution may expire before it is sent; then the server sends another challenge. */
const maxChallenges = 3

/**
 * Sends a request and solves the challenge if the server responds with one (contract/challenge.ts).
 * @param send sends the request with the solution found so far.
 * @throws ChallengeFailed and the errors of `send`.
 */
export async function withChallenge<T>(
  send: (solved: ChallengeState) => Promise<T>,
  { challengeState, signal, onProgress }: ChallengeOptions,
): Promise<T> {
  for (let challenges = 0; ; challenges++) {
    try {
      return await send(challengeState)
    } catch (error) {
      const challenge = readChallenge(error)
      if (challenge === null) throw error
      delete challengeState.altcha
      if (challenges === maxChallenges) throw challengeFailed()
      // Browsers have no `crypto.subtle` on pages served over plain HTTP.
      if (crypto.subtle === undefined) {
        throw new ChallengeFailed('This form requires a secure connection (HTTPS).')
      }
      onProgress(0)
      const { solveAltcha } = await import('./solve-challenge.ts')
      const altcha = await solveAltcha(challenge, onProgress, signal)
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
