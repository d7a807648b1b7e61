import { type Registration, register } from '@reelmark/contract/accounts.ts'
import { isCallError } from '@reelmark/contract/call.ts'
import type { Challenge, ChallengeNeeded, SolvedChallenge } from '@reelmark/contract/challenges.ts'
import { api } from '../../api.ts'

/** Where the site wants to know that it is no robot, and could not be told; the message is for people. */
export class NotChecked extends Error {
  override readonly name = 'NotChecked'
}

/** What one form has solved: good until an account is made with it. */
export interface Kept {
  altcha?: SolvedChallenge
}

interface Options {
  kept: Kept
  /** Ends the solving, and nothing that was sent. */
  signal: AbortSignal
  /** While a challenge is being solved: the percentage. */
  onProgress: (percent: number) => void
}

/** A solution that came too late is followed by another. */
const mostChallenges = 3

/**
 * Registers, and solves what is asked for on the way.
 * @throws CallError, NotChecked.
 */
export async function registering(
  values: Registration,
  { kept, signal, onProgress }: Options,
): Promise<void> {
  for (let challenges = 0; ; challenges++) {
    try {
      await api(register, { body: { ...values, ...kept } })
      return
    } catch (error) {
      const challenge = challengeOf(error)
      if (challenge === null) throw error
      delete kept.altcha
      if (challenges === mostChallenges) throw notChecked()
      // Browsers have no `subtle` where the page came over plain HTTP.
      if (crypto.subtle === undefined) {
        throw new NotChecked('Sign-up requires a secure connection (HTTPS).')
      }
      onProgress(0)
      const { solve } = await import('./solve-challenge.ts')
      const altcha = await solve(challenge, onProgress, signal)
      if (altcha === null) throw notChecked()
      kept.altcha = altcha
      onProgress(100)
    }
  }
}

function notChecked(): NotChecked {
  return new NotChecked("Couldn't verify you're human. Try again.")
}

/** The challenge that an answer comes with. */
function challengeOf(error: unknown): Challenge | null {
  if (!isCallError(error) || error.status !== 403) return null
  return (error.body as Partial<ChallengeNeeded> | null)?.challenge ?? null
}
