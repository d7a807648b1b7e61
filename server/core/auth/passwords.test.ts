import { availableParallelism } from 'node:os'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../http/errors.ts'
import { hashPassword, setHashCost, verifyPassword } from './passwords.ts'

setHashCost()

/** In the line, and being hashed: one at a time where there are two cores. */
const admitted = 200 + (availableParallelism() > 2 ? 2 : 1)

const password = 'a long walk in the rain'

describe('checking passwords', () => {
  test('knows the right one, in whatever code points it was typed', async () => {
    const encoded = await hashPassword('Caf\u00e9 am See')
    expect(await verifyPassword('Cafe\u0301 am See', encoded)).toBe(true)
    expect(await verifyPassword('Cafe am See', encoded)).toBe(false)
    expect(await verifyPassword('Cafe am See', null)).toBe(false)
  })

  test('lets two hundred strangers wait and tells the others to come again in a second', async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 220 }, () => verifyPassword(password, null)),
    )
    const refused = answers.filter((answer) => answer.status === 'rejected')
    expect(refused).toHaveLength(220 - admitted)
    expect(refused[0]?.reason).toBeInstanceOf(ApiError)
    expect(refused[0]?.reason).toMatchObject({ status: 429, retryAfter: 1 })
  })

  test('takes turns between trusted devices and strangers, who fill their own line only', async () => {
    const order: string[] = []
    const check = (who: string, isTrusted: boolean) =>
      verifyPassword(password, null, { isTrusted }).then(() => order.push(who))
    const strangers = Array.from({ length: admitted }, () => check('stranger', false))
    await expect(check('stranger', false)).rejects.toBeInstanceOf(ApiError)
    const owners = Array.from({ length: 10 }, () => check('owner', true))
    await Promise.all([...strangers, ...owners])
    // One and one: some ten to twelve strangers before the last owner. With owners first, two or three.
    const before = order.lastIndexOf('owner') - 9
    expect(before).toBeGreaterThanOrEqual(6)
    expect(before).toBeLessThan(30)
    expect(order).toHaveLength(admitted + 10)
  })
})
