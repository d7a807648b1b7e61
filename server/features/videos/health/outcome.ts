import type { healthOutcomes } from '@reelmark/contract/video-health.ts'

/**
 * What one response of a host says about a video, or a whole check.
 * - `region-blocked`: only in some countries, of which this server's is not one
 * - `login-required`: only for users with an account or a paid membership at the host
 * - `missing`: deleted, removed or never there
 * - `unclear`: a consent, login, captcha or wait page, or a response that says nothing about the video
 * - `down`: the host does not respond, or responds with a server error
 */
export type Outcome = (typeof healthOutcomes)[number]

/** Returns whether nobody can watch the video according to an outcome. */
export function isFailure(outcome: Outcome): boolean {
  return outcome === 'missing' || outcome === 'private'
}

/** Returns whether an outcome proves that the video exists. A login page does not: hosts also send it to robots. */
export function isProof(outcome: Outcome): boolean {
  return outcome === 'available' || outcome === 'region-blocked' || outcome === 'age-restricted'
}

/** How many failures a check needs: one response alone can be a mistake of the host or of a proxy. */
const neededFailures = 2

/**
 * Combines what the sources of a video said in one check. A proof outweighs any number of failures, because a host that
 * contradicts itself must not make a video count as gone.
 */
export function combineOutcomes(outcomes: readonly Outcome[]): Outcome {
  const proof = outcomes.find(isProof)
  if (proof !== undefined) return proof
  const failures = outcomes.filter(isFailure)
  if (failures.length >= neededFailures) return failures.includes('private') ? 'private' : 'missing'
  if (outcomes.includes('login-required')) return 'login-required'
  return outcomes.length > 0 && outcomes.every((outcome) => outcome === 'down') ? 'down' : 'unclear'
}
