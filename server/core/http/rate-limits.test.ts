import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, slowTimeouts, type TestDatabase } from '../../testing/test-database.ts'
import { connect, type Sql } from '../database/database.ts'
import { consumeToken, ipBucketKey, refundTokens } from './rate-limits.ts'

let database: TestDatabase
let db: Sql
let otherProcess: Sql
beforeAll(async () => {
  database = await createTestDatabase()
  db = connect(database.url, slowTimeouts)
  otherProcess = connect(database.url, slowTimeouts)
})
afterAll(async () => {
  await db.end({ timeout: 5 })
  await otherProcess.end({ timeout: 5 })
  await database.drop()
})

const limit = { tokens: 5, seconds: 50 }
const makeOlder = (key: string, seconds: number) =>
  db`update rate_limits set updated_at = now() - make_interval(secs => ${seconds}) where key = ${key}`

describe('a token bucket', () => {
  test('returns 0 until it is empty, then the seconds until the next token', async () => {
    for (let n = 0; n < 5; n++) expect(await consumeToken(db, 'a', limit, 1)).toBe(0)
    expect(await consumeToken(db, 'a', limit, 1)).toBe(10)
  })

  test('refills evenly up to its size', async () => {
    for (let n = 0; n < 5; n++) await consumeToken(db, 'b', limit, 1)
    await makeOlder('b', 21)
    expect([await consumeToken(db, 'b', limit, 1), await consumeToken(db, 'b', limit, 1)]).toEqual([0, 0])
    expect(await consumeToken(db, 'b', limit, 1)).toBe(10)
    await makeOlder('b', 100_000)
    for (let n = 0; n < 5; n++) expect(await consumeToken(db, 'b', limit, 1)).toBe(0)
    expect(await consumeToken(db, 'b', limit, 1)).toBe(10)
  })

  test('is shared by all processes: of a hundred concurrent calls as many succeed as it has tokens', async () => {
    const slow = { tokens: 7, seconds: 80_000 }
    const waits = await Promise.all(
      Array.from({ length: 100 }, (_, n) => consumeToken(n % 2 === 0 ? db : otherProcess, 'c', slow, 1)),
    )
    expect(waits.filter((wait) => wait === 0)).toHaveLength(7)
  })

  test('accepts a refunded token', async () => {
    const slow = { tokens: 1, seconds: 80_000 }
    await consumeToken(db, 'd', slow, 1)
    await refundTokens(db, ['d', 'not there'])
    expect(await consumeToken(db, 'd', slow, 1)).toBe(0)
    expect(await consumeToken(db, 'd', slow, 1)).toBeGreaterThan(0)
  })

  test('is multiplied by the scale, has at least one token, and is off at scale 0', async () => {
    for (let n = 0; n < 10; n++) expect(await consumeToken(db, 'e', limit, 2)).toBe(0)
    expect(await consumeToken(db, 'e', limit, 2)).toBe(5)
    expect(await consumeToken(db, 'f', limit, 0.001)).toBe(0)
    expect(await consumeToken(db, 'f', limit, 0.001)).toBe(50)
    for (let n = 0; n < 20; n++) expect(await consumeToken(db, 'g', limit, 0)).toBe(0)
  })
})

describe('the bucket key of an address', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:DB8:0:0:ffff::9', '2001:db8:0:0::/64'],
    ['2001:0db8:0001:0002:3:4:5:6', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1:2:3:4:5:6:192.0.2.1', '1:2:3:4::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ['nonsense', 'no address'],
    ['', 'no address'],
  ])('for %s is %s', (address, key) => {
    expect(ipBucketKey(address)).toBe(key)
  })

  test('is the same for two IPv6 addresses if and only if their first 64 bits are equal', () => {
    const addressHalf = fc.array(fc.integer({ min: 1, max: 0xffff }), { minLength: 4, maxLength: 4 })
    const formatGroups = (groups: number[]) => groups.map((group) => group.toString(16)).join(':')
    fc.assert(
      fc.property(addressHalf, addressHalf, addressHalf, (network, first, second) => {
        expect(ipBucketKey(`${formatGroups(network)}:${formatGroups(first)}`)).toBe(
          ipBucketKey(`${formatGroups(network)}:${formatGroups(second)}`),
        )
        expect(
          ipBucketKey(`${formatGroups(network)}:${formatGroups(first)}`) ===
            ipBucketKey(`${formatGroups(first)}:${formatGroups(first)}`),
        ).toBe(formatGroups(network) === formatGroups(first))
      }),
    )
  })
})
