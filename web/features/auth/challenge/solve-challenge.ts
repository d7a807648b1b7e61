import type { Challenge, SolvedChallenge } from '@reelmark/contract/challenge.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'

/**
 * Tries keys until one solves the challenge, which takes some seconds. Browsers derive several keys at once in their
 * own threads, so the page stays responsive without a worker.
 * @param onProgress receives the share of the maximum number of tries, in steps of 5 percent.
 * @returns null if `signal` aborted it or no key was found within 90 seconds.
 */
export async function solveAltcha(
  challenge: Challenge,
  onProgress: (percent: number) => void,
  signal: AbortSignal,
): Promise<SolvedChallenge | null> {
  const controller = new AbortController()
  signal.addEventListener('abort', () => controller.abort())
  let tries = 0
  const countingDeriveKey: typeof deriveKey = (...parameters) => {
    tries += 1
    onProgress(Math.min(100, Math.floor((tries / limits.challengeTriesMax) * 20) * 5))
    return deriveKey(...parameters)
  }
  const concurrency = Math.min(4, navigator.hardwareConcurrency || 1)
  try {
    const solution = await Promise.race(
      Array.from({ length: concurrency }, (_, offset) =>
        solveChallenge({
          challenge,
          controller,
          deriveKey: countingDeriveKey,
          counterStart: offset,
          counterStep: concurrency,
        }),
      ),
    )
    return solution && { challenge, solution }
  } finally {
    controller.abort()
  }
}
