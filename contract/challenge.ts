/**
 * The proof of work that registering may take, as ALTCHA words it (version 2), names and all: so that its libraries, of
 * many languages, solve it.
 */
import * as t from 'typebox'

const Hex = t.String({ pattern: '^[0-9a-f]+$', maxLength: 200 })
const Count = t.Integer({ minimum: 0, maximum: 0xffff_ffff })

export const Challenge = t.Object(
  {
    /** Signed as they are. */
    parameters: t.Object(
      {
        algorithm: t.String({ minLength: 1, maxLength: 50 }),
        cost: Count,
        /** In seconds since 1970. */
        expiresAt: Count,
        keyLength: Count,
        /** What the key begins with that is to be found. */
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

/** The challenge as it came, and the number that solves it with the key that the number gives. */
export const SolvedChallenge = t.Object(
  {
    challenge: Challenge,
    solution: t.Object(
      {
        counter: Count,
        derivedKey: Hex,
        /** Milliseconds that it took; the libraries say so, and it does not matter. */
        time: t.Optional(t.Number()),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
)
export type SolvedChallenge = t.Static<typeof SolvedChallenge>

/** What `challenge-required` says beside its text. */
export const ChallengeRequired = t.Object({ detail: t.String(), challenge: Challenge })
export type ChallengeRequired = t.Static<typeof ChallengeRequired>
