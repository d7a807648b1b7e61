/** Password hashing with Argon2id and OWASP's parameters; a hash takes about 10 ms of processor time. */
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { type Algorithm, hash, verify } from '@node-rs/argon2'
import { createLimiter } from '../http/concurrency-limit.ts'

// The enum is ambient and const. Its value is written out because Node strips types without compiling.
const argon2id = 2 satisfies Algorithm.Argon2id
const parallelism = 1
const owaspCost = { memoryCost: 19_456, timeCost: 2 }
let cost = owaspCost

/** Sets the cost of new hashes. Only for tests, most of which hash passwords but are not about hashes. */
export function setHashCost(next = owaspCost): void {
  cost = next
}

/** Compared with when an account has no password or does not exist, so that the response time reveals nothing. */
const dummyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$6c5XG5iF8fCIgaSE8Yy8Iw$gZvCM8tZs/uLO3HEdoD+kBkjgeN+hs98X37tdEQup4I'

/**
 * Maximum number of concurrent hashes per process. One core stays free: with both of two cores hashing, two hundred
 * concurrent logins slowed down all other requests (bench/login-load.ts).
 */
const concurrency = Math.max(1, Math.min(2, availableParallelism() - 1))
/** Maximum length of each queue, which is one or two seconds of work; further calls are refused. */
const maxQueued = 200

const limit = createLimiter({ concurrency, maxQueued })

interface Priority {
  /** Set by login-throttle.ts. */
  isTrusted?: boolean
}

/**
 * Hashes a password. Returns the encoded hash, which includes parameters and salt.
 * @throws ApiError('rate-limited') if the queue is full
 */
export function hashPassword(password: string, priority: Priority = {}): Promise<string> {
  return limit(priority, () =>
    hash(normalizePassword(password), { algorithm: argon2id, parallelism, ...cost }),
  )
}

/**
 * Returns whether the password matches the hash. Takes the same time if there is no hash.
 * @throws ApiError('rate-limited') if the queue is full
 */
export async function verifyPassword(
  password: string,
  encoded: string | null,
  priority: Priority = {},
): Promise<boolean> {
  const isMatch = await limit(priority, () => verify(encoded ?? dummyHash, normalizePassword(password)))
  return isMatch && encoded !== null
}

/**
 * Hashes several secrets, such as recovery codes, with one random salt. Whether a text is one of them then takes a single
 * hash (`hashLike`), whatever their number.
 */
export async function hashTogether(texts: string[]): Promise<string[]> {
  const salt = randomBytes(16)
  const hashes: string[] = []
  for (const text of texts)
    hashes.push(await limit({}, () => hash(text, { algorithm: argon2id, parallelism, salt, ...cost })))
  return hashes
}

/**
 * Hashes a text with the salt and the parameters of an encoded hash. The result equals `encoded` if the texts are equal.
 * @throws ApiError('rate-limited') if the queue is full
 */
export function hashLike(encoded: string, text: string): Promise<string> {
  const [, memoryCost, timeCost, lanes, salt = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$/.exec(encoded) ?? []
  return limit({}, () =>
    hash(text, {
      algorithm: argon2id,
      memoryCost: Number(memoryCost),
      timeCost: Number(timeCost),
      parallelism: Number(lanes),
      salt: Buffer.from(salt, 'base64'),
    }),
  )
}

/** Returns whether a hash was created with the algorithm and the parameters that `hashPassword` uses now. */
export function isCurrentHash(encoded: string): boolean {
  return encoded.startsWith(`$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${parallelism}$`)
}

/** Normalises a password: systems encode the same characters differently (NIST SP 800-63B, 5.1.1.2). */
function normalizePassword(password: string): string {
  return password.normalize('NFKC')
}
