/** Password hashes: Argon2id with OWASP's parameters, some 10 ms of processor time each. */
import { type Algorithm, hash, verify } from '@node-rs/argon2'
import { ApiError } from './errors.ts'

// The enum is ambient and const; its value is written out because Node strips types and compiles nothing.
const argon2id = 2 satisfies Algorithm.Argon2id
const parameters = { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Of nobody's password. Whoever has none is checked against it, so that the time tells nothing. */
const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$6c5XG5iF8fCIgaSE8Yy8Iw$gZvCM8tZs/uLO3HEdoD+kBkjgeN+hs98X37tdEQup4I'

/** Hashes one process computes at a time: more would only take turns on the same cores. */
const atOnce = 2
/** How many may wait, some 200 ms at most; whoever comes then is told to come again. */
const queueLength = 40

let running = 0
const waiting: (() => void)[] = []

/**
 * @returns the encoded hash, parameters and salt within.
 * @throws ApiError('too-many') where too many hashes are under way.
 */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normalize(password), parameters))
}

/**
 * Whether the password is the one that was hashed; takes as long where there is no hash.
 * @throws ApiError('too-many') where too many hashes are under way.
 */
export async function verifyPassword(password: string, encoded: string | null): Promise<boolean> {
  const holds = await inTurn(() => verify(encoded ?? nobodysHash, normalize(password)))
  return holds && encoded !== null
}

/** The same letters are typed in different code points by different systems (NIST SP 800-63B, 5.1.1.2). */
function normalize(password: string): string {
  return password.normalize('NFKC')
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= queueLength) throw new ApiError('too-many', {}, 1)
    // Whoever finishes hands its place on: `running` stays as it is.
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}
