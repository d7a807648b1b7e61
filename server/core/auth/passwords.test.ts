import { availableParallelism } from 'node:os'
import { describe, expect, onTestFinished, test } from 'vitest'
import { cheapHashCost } from '../../testing/cheap-hashes.ts'
import { ApiError } from '../http/errors.ts'
import { hashLike, hashPassword, hashTogether, setHashCost, verifyPassword } from './passwords.ts'

/** Number of calls that are accepted: those in the queue, and those being hashed (one at a time on two cores). */
const maxAccepted = 200 + (availableParallelism() > 2 ? 2 : 1)

const password = 'a long walk in the rain'

/** Hashes at the cost of a site until the end of the test. The queues behave the same at any cost. */
function useFullCost(): void {
  setHashCost()
  onTestFinished(() => setHashCost(cheapHashCost))
}

describe('verifying passwords', () => {
  test('accepts the right password, however its characters are composed', async () => {
    useFullCost()
    const encoded = await hashPassword('Caf\u00e9 am See')
    expect(await verifyPassword('Cafe\u0301 am See', encoded)).toBe(true)
    expect(await verifyPassword('Cafe am See', encoded)).toBe(false)
    expect(await verifyPassword('Cafe am See', null)).toBe(false)
  })

  test('queues two hundred calls and refuses more of them with a Retry-After of one second', async () => {
    const encoded = await hashPassword('another password')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 220 }, () => verifyPassword(password, encoded)),
    )
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused).toHaveLength(220 - maxAccepted)
    expect(refused[0]?.reason).toBeInstanceOf(ApiError)
    expect(refused[0]?.reason).toMatchObject({ status: 429, retryAfter: 1 })
  })

  test('alternates between trusted devices and others, who fill only their own queue', async () => {
    const encoded = await hashPassword('another password')
    const order: string[] = []
    const check = (caller: string, isTrusted: boolean) =>
      verifyPassword(password, encoded, { isTrusted }).then(() => order.push(caller))
    const others = Array.from({ length: maxAccepted }, () => check('other', false))
    await expect(check('other', false)).rejects.toBeInstanceOf(ApiError)
    const owners = Array.from({ length: 10 }, () => check('owner', true))
    await Promise.all([...others, ...owners])
    // Alternating means ten to twelve others before the last owner. With owners first it would be two or three.
    const othersBefore = order.lastIndexOf('owner') - 9
    expect(othersBefore).toBeGreaterThanOrEqual(6)
    expect(othersBefore).toBeLessThan(30)
    expect(order).toHaveLength(maxAccepted + 10)
  })
})

describe('hashing recovery codes', () => {
  test('gives each an Argon2id hash with a salt of the set, which a single hash finds again', async () => {
    useFullCost()
    const [first, second] = [await hashTogether(['apple', 'pear']), await hashTogether(['apple'])]
    const salts = [...first, ...second].map((encoded) => encoded.split('$')[4])
    expect(first[0]).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(salts[1]).toBe(salts[0])
    expect(salts[2]).not.toBe(salts[0])
    const [apple = '', pear = ''] = first
    expect(await hashLike(apple, 'pear')).toBe(pear)
    expect(first).not.toContain(await hashLike(apple, 'plum'))
  })

  test('finds a hash that was created with other parameters', async () => {
    const [apple = ''] = await hashTogether(['apple'])
    useFullCost()
    expect(await hashLike(apple, 'apple')).toBe(apple)
  })
})
