import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
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
let people = 0
beforeAll(async () => {
  site = await bootApp({ settings: { rateLimitScale: 1, trustProxy: true } })
})
afterAll(() => site.close())
beforeEach(async () => {
  people += 1
  await site.db`truncate rate_limits`
  const { id, username, password } = await signUp(site, `owner${people}`)
  await site.db`update users set password_hash = ${await hashPassword(password)} where id = ${id}`
  const reply = await logIn(password, { username, address: '203.0.113.250' })
  owner = { username, password, device: String(reply.cookies[0]?.value) }
})

const logIn = (
  password: string,
  { username = owner.username, address = '', device = '', app = site.app } = {},
) =>
  app.inject({
    method: 'POST',
    url: '/api/token/',
    headers: { 'x-forwarded-for': address, ...(device && { cookie: `device=${device}` }) },
    payload: { username, password },
  })

/** Does `work` for each, so many at a time. */
async function each<T>(items: T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** Half of them of IPv6, each a network of its own. */
const attackers = Array.from({ length: 500 }, (_, n) =>
  n % 2 === 0 ? `198.18.${n >> 8}.${n & 255}` : `2001:db8:${n.toString(16)}:1::66`,
)

describe('ten thousand wrong guesses at an account from five hundred addresses', () => {
  test('lock its owner out neither at one of these addresses, nor without the cookie at one of their own', async () => {
    const started = Date.now()
    const answers = { wrong: 0, refused: 0 }
    const byCalls = attackers.slice(0, 60)
    await each(byCalls, 20, async (address) => {
      const { statusCode, headers } = await logIn('a guess', { address })
      expect(statusCode).toBe(401)
      expect(headers['retry-after']).toBeUndefined()
      answers.wrong += 1
    })
    // The rest without the hashes, which would take minutes: what counts them is the same.
    const from = { name: owner.username, trusted: null, scale: 1 }
    const rest = (Array(20).fill(attackers).flat() as string[]).slice(byCalls.length)
    await each(rest, 10, async (address) => {
      try {
        await registerAttemptFrom(site.db, { ...from, address })
        answers.wrong += 1
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError)
        expect((error as ApiError).retryAfter).toBe(60)
        answers.refused += 1
      }
    })
    expect(answers.wrong + answers.refused).toBe(10_000)
    // Ten of each address were tried; some came back meanwhile, one a minute.
    expect(answers.wrong).toBeGreaterThanOrEqual(5_000)
    const minutes = Math.ceil((Date.now() - started) / 60_000)
    expect(answers.wrong).toBeLessThanOrEqual(5_000 + minutes * attackers.length)

    const { password, device } = owner
    const attacking = attackers.slice(0, 2)
    for (const address of attacking) {
      // Empty for sure, whatever came back while the others were counted.
      for (let n = 0; n < 3; n++) await logIn('a guess', { address })
      const refused = await logIn(password, { address })
      expect(refused.statusCode).toBe(429)
      expect(Number(refused.headers['retry-after'])).toBe(60)
      expect((await logIn(password, { address, device })).statusCode).toBe(200)
    }
    for (const address of ['203.0.113.9', '2001:db8:ffff:1::1']) {
      expect((await logIn(password, { address })).statusCode).toBe(200)
    }
  })
})

describe('two processes on one database', () => {
  test('count together: what is used up at one is used up at the other', async () => {
    const db = connect(site.databaseUrl, { ...slowTimeouts, max: 3 })
    const other = await buildApp({ ...site.app.deps, db, readDb: db })
    const [address = ''] = attackers
    try {
      for (let n = 0; n < 10; n++) {
        const { statusCode } = await logIn('a guess', { address, app: n % 2 === 0 ? other : site.app })
        expect(statusCode).toBe(401)
      }
      for (const app of [site.app, other]) {
        const refused = await logIn(owner.password, { address, app })
        expect(refused.statusCode).toBe(429)
        expect(refused.headers['retry-after']).toBe('60')
        // The cookie was made by one of them, and is known to both.
        expect((await logIn(owner.password, { address, app, device: owner.device })).statusCode).toBe(200)
      }
    } finally {
      await other.close()
      await db.end({ timeout: 5 })
    }
  })
})

describe('a flood that keeps the processor busy', () => {
  test('turns strangers away, and the owner’s device waits its turn', async () => {
    let over = false
    const answers: number[] = []
    // More at once than may wait in line, from as many addresses, for as long as the owner tries.
    const flood = each(attackers, 220, async (address) => {
      if (over) return
      answers.push((await logIn('a guess', { address })).statusCode)
    })
    const owners: number[] = []
    for (let n = 0; n < 5; n++) {
      const { statusCode } = await logIn(owner.password, { address: '203.0.113.9', device: owner.device })
      owners.push(statusCode)
    }
    over = true
    await flood
    expect(owners).toEqual([200, 200, 200, 200, 200])
    expect(new Set(answers)).toEqual(new Set([401, 429]))
  })
})
