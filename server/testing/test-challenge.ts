/** Solves the proof of work that the server requires. */
import type { Challenge, SolvedChallenge } from '@reelmark/contract/challenge.ts'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'

export async function solve(challenge: Challenge): Promise<SolvedChallenge> {
  const solution = await solveChallenge({ challenge, deriveKey })
  if (solution === null) throw new Error('not solved')
  return { challenge, solution }
}

/** Solves the challenge with which the server responded to a login. */
export function solveLoginChallenge(reply: {
  statusCode: number
  json(): { code: string; challenge: Challenge }
}): Promise<SolvedChallenge> {
  const { code, challenge } = reply.json()
  if (code !== 'challenge-required') throw new Error(`the response is ${reply.statusCode} ${code}`)
  return solve(challenge)
}
