/** Password hashes: Argon2id with OWASP's parameters, some 10 ms of processor time each. */
import { availableParallelism } from 'node:os'
import { type Algorithm, hash, verify } from '@node-rs/argon2'
import { createLimiter } from '../http/concurrency-limit.ts'

// The enum is ambient and const; its value is written out because Node strips types and compiles nothing.
const argon2id = 2 satisfies Algorithm.Argon2id
const owaspCost = { memoryCost: 19_456, timeCost: 2 }
let cost = owaspCost

/** Sets the cost of new hashes. Only for tests, most of which hash passwords but are not about hashes. */
export function setHashCost(next = owaspCost): void {
  cost = next
}

/** Of nobody's password. Whoever has none is checked against it, so that the time tells nothing. */
const dummyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$6c5XG5iF8fCIgaSE8Yy8Iw$gZvCM8tZs/uLO3HEdoD+kBkjgeN+hs98X37tdEQup4I'

/**
 * Hashes one process computes at a time. One core is left to everybody else: with both of two taken, two hundred people
 * logging in at once made those wait who were only looking (bench/login-load.ts).
 */
const concurrency = Math.max(1, Math.min(2, availableParallelism() - 1))
/** How many may wait in each line, one or two seconds at most; whoever comes then is told to come again. */
const maxQueued = 200

const limit = createLimiter({ concurrency, maxQueued })

interface Priority {
  /** See core/login-throttle.ts, whose attempts say so. */
  isTrusted?: boolean
}

/**
 * @returns the encoded hash, parameters and salt within.
 * @throws ApiError('rate-limited') where too many hashes are under way.
 */
export function hashPassword(password: string, priority: Priority = {}): Promise<string> {
  return limit(priority, () =>
    hash(normalizePassword(password), { algorithm: argon2id, parallelism: 1, ...cost }),
  )
}

/**
 * Whether the password is the one that was hashed; takes as long where there is no hash.
 * @throws ApiError('rate-limited') where too many hashes are under way.
 */
export async function verifyPassword(
  password: string,
  encoded: string | null,
  priority: Priority = {},
): Promise<boolean> {
  const holds = await limit(priority, () => verify(encoded ?? dummyHash, normalizePassword(password)))
  return holds && encoded !== null
}

/** The same letters are typed in different code points by different systems (NIST SP 800-63B, 5.1.1.2). */
function normalizePassword(password: string): string {
  return password.normalize('NFKC')
}
