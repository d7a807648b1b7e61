import type { SolvedChallenge } from '@reelmark/contract/challenge.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { solveLoginChallenge } from '../../testing/test-challenge.ts'
import { slowTimeouts } from '../../testing/test-database.ts'
import { signUp } from '../../testing/test-users.ts'
import { connect } from '../database/database.ts'
import { ApiError } from '../http/errors.ts'
import { registerAttemptFrom } from './login-throttle.ts'
import { hashPassword, setHashCost } from './passwords.ts'

// The flood keeps the processor busy with hashes.
setHashCost()

let site: TestApp
let owner = { username: '', password: '', device: '' }
let userCount = 0
beforeAll(async () => {
  site = await bootApp({ settings: { rateLimitScale: 1, trustProxy: ['loopback'] } })
})
afterAll(() => site.close())
beforeEach(async () => {
  userCount += 1
  await site.db`truncate rate_limits`
  const { id, username, password } = await signUp(site, `owner${userCount}`)
  await site.db`update users set password_hash = ${await hashPassword(password)} where id = ${id}`
  const reply = await logIn(password, { username, address: '203.0.113.250' })
  owner = { username, password, device: String(reply.cookies[0]?.value) }
})

const logIn = (
  password: string,
  { username = owner.username, address = '', device = '', app = site.app, altcha }: LoginOptions = {},
) =>
  app.inject({
    method: 'POST',
    url: '/api/token/',
    headers: { 'x-forwarded-for': address, ...(device && { cookie: `device=${device}` }) },
    payload: { username, password, ...(altcha && { altcha }) },
  })

interface LoginOptions {
  username?: string
  address?: string
  device?: string
  app?: TestApp['app']
  altcha?: SolvedChallenge
}

/** Calls `work` for each item, with at most `concurrency` calls at a time. */
async function forEachConcurrently<T>(
  items: T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items]
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}

/** 500 addresses; half of them are IPv6, each in another network. */
const attackers = Array.from({ length: 500 }, (_, n) =>
  n % 2 === 0 ? `198.18.${n >> 8}.${n & 255}` : `2001:db8:${n.toString(16)}:1::66`,
)

describe('ten thousand failed logins to one account from five hundred addresses', () => {
  test('do not lock out the owner’s trusted device, nor the owner at their own address after proof of work', async () => {
    const started = Date.now()
    const statuses = { wrong: 0, challenged: 0, refused: 0 }
    const loggingIn = attackers.slice(0, 60)
    await forEachConcurrently(loggingIn, 20, async (address) => {
      const { statusCode, headers } = await logIn('a guess', { address })
      expect(headers['retry-after']).toBeUndefined()
      if (statusCode === 401) statuses.wrong += 1
      else {
        expect(statusCode).toBe(403)
        statuses.challenged += 1
      }
    })
    // Fifty for the account from all addresses together.
    expect(statuses).toEqual({ wrong: 50, challenged: 10, refused: 0 })
    // The rest skips password hashing, which would take minutes; attempts are counted by the same function.
    const attempt = { name: owner.username, trusted: null, scale: 1 }
    const remaining = (Array(20).fill(attackers).flat() as string[]).slice(loggingIn.length)
    await forEachConcurrently(remaining, 10, async (address) => {
      try {
        const { exceeded } = await registerAttemptFrom(site.db, { ...attempt, address })
        if (exceeded === null) statuses.wrong += 1
        else statuses.challenged += 1
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError)
        expect((error as ApiError).retryAfter).toBe(60)
        statuses.refused += 1
      }
    })
    const { wrong, challenged, refused } = statuses
    expect(wrong + challenged + refused).toBe(10_000)
    // Ten attempts per address were allowed, most of them with proof of work; meanwhile each bucket regained one token
    // per minute, and that of the account less than one per 28 minutes.
    expect(wrong + challenged).toBeGreaterThanOrEqual(5_000)
    const minutes = Math.ceil((Date.now() - started) / 60_000)
    expect(wrong + challenged).toBeLessThanOrEqual(5_000 + minutes * attackers.length)
    expect(wrong).toBeLessThanOrEqual(50 + Math.ceil(minutes / 28))

    const { password, device } = owner
    const attackerSample = attackers.slice(0, 2)
    for (const address of attackerSample) {
      // Empties the bucket, which may have regained a token while the others were counted.
      for (let n = 0; n < 3; n++) await logIn('a guess', { address })
      const reply = await logIn(password, { address })
      expect(reply.statusCode).toBe(429)
      expect(Number(reply.headers['retry-after'])).toBe(60)
      expect((await logIn(password, { address, device })).statusCode).toBe(200)
    }
    for (const address of ['203.0.113.9', '2001:db8:ffff:1::1']) {
      const altcha = await solveLoginChallenge(await logIn(password, { address }))
      expect((await logIn(password, { address, altcha })).statusCode).toBe(200)
    }
  })
})

describe('two processes with one database', () => {
  test('share the counts of failed logins', async () => {
    const db = connect(site.databaseUrl, { ...slowTimeouts, max: 3 })
    const otherApp = await buildApp({ ...site.app.deps, db })
    const [address = ''] = attackers
    try {
      for (let n = 0; n < 10; n++) {
        const { statusCode } = await logIn('a guess', { address, app: n % 2 === 0 ? otherApp : site.app })
        expect(statusCode).toBe(401)
      }
      for (const app of [site.app, otherApp]) {
        const refused = await logIn(owner.password, { address, app })
        expect(refused.statusCode).toBe(429)
        expect(refused.headers['retry-after']).toBe('60')
        // The cookie was created by one process and is accepted by both.
        expect((await logIn(owner.password, { address, app, device: owner.device })).statusCode).toBe(200)
      }
    } finally {
      await otherApp.close()
      await db.end({ timeout: 5 })
    }
  })
})

describe('more failed logins than the processor can hash', () => {
  test('are partly refused, while the owner’s trusted device can still log in', async () => {
    let isOver = false
    const statuses: number[] = []
    // More concurrent attempts than the queue holds, each from its own address, until the owner has logged in.
    const flood = forEachConcurrently(attackers, 220, async (address) => {
      if (isOver) return
      // Each at an account of its own, because a login above the limit of an account is not hashed.
      statuses.push((await logIn('a guess', { address, username: `guess ${address}` })).statusCode)
    })
    const ownerStatuses: number[] = []
    for (let n = 0; n < 5; n++) {
      const { statusCode } = await logIn(owner.password, { address: '203.0.113.9', device: owner.device })
      ownerStatuses.push(statusCode)
    }
    isOver = true
    await flood
    expect(ownerStatuses).toEqual([200, 200, 200, 200, 200])
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
  })
})
