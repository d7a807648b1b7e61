/**
 * The proof of work that registration and login may require. It follows ALTCHA version 2 with its field names, so that ALTCHA's
 * client libraries can solve it.
 */
import * as t from 'typebox'

const Hex = t.String({ pattern: '^[0-9a-f]+$', maxLength: 200 })
const Count = t.Integer({ minimum: 0, maximum: 0xffff_ffff })

export const Challenge = t.Object(
  {
    /** Signed exactly as sent: a solution returns them unchanged. */
    parameters: t.Object(
      {
        algorithm: t.String({ minLength: 1, maxLength: 50 }),
        cost: Count,
        /** Unix time in seconds. */
        expiresAt: Count,
        keyLength: Count,
        /** The hexadecimal prefix that the derived key must have. */
        keyPrefix: Hex,
        keySignature: Hex,
        nonce: Hex,
        salt: Hex,
      },
      { additionalProperties: false },
    ),
    signature: Hex,
  },
  { additionalProperties: false },
)
export type Challenge = t.Static<typeof Challenge>

/** A challenge exactly as received, with the counter that solves it and the key derived from that counter. */
export const SolvedChallenge = t.Object(
  {
    challenge: Challenge,
    solution: t.Object(
      {
        counter: Count,
        derivedKey: Hex,
        /** Milliseconds spent on solving. Sent by ALTCHA's libraries and ignored. */
        time: t.Optional(t.Number()),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
)
export type SolvedChallenge = t.Static<typeof SolvedChallenge>

/** Body of the error `challenge-required`. */
export const ChallengeRequired = t.Object({ detail: t.String(), challenge: Challenge })
export type ChallengeRequired = t.Static<typeof ChallengeRequired>
