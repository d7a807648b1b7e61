import type { SolvedChallenge } from '@reelmark/contract/challenge.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { waitForMailsTo } from '../../../testing/outbox.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { solveLoginChallenge } from '../../../testing/test-challenge.ts'
import { signUp, testPassword } from '../../../testing/test-users.ts'
import { failedLoginsQueue } from './login-challenge.ts'

let site: TestApp
let username = ''
let userCount = 0
beforeAll(async () => {
  site = await bootApp({ settings: { rateLimitScale: 1, trustProxy: ['loopback'] } })
})
afterAll(() => site.close())
beforeEach(async () => {
  userCount += 1
  username = `alice${userCount}`
  await signUp(site, username)
  await site.db`truncate rate_limits`
})

interface LoginOptions {
  address?: string
  device?: string
  altcha?: SolvedChallenge
  app?: TestApp['app']
}

const logIn = (
  name: string,
  password: string,
  { address = '203.0.113.1', device = '', altcha, app = site.app }: LoginOptions = {},
) =>
  app.inject({
    method: 'POST',
    url: '/api/token/',
    headers: { 'x-forwarded-for': address, ...(device && { cookie: `device=${device}` }) },
    payload: { username: name, password, ...(altcha && { altcha }) },
  })

/** Guesses fifty times, ten times in each of five networks, which uses up the account's limit. */
async function guessFromManyNetworks(name: string, app = site.app): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < 50; n++)
    statuses.push((await logIn(name, 'wrong', { address: `198.18.${n % 5}.1`, app })).statusCode)
  return statuses
}

const queuedMails = () =>
  site.db<{ data: { user_id: number | null } }[]>`
    select data from jobs.job where name = 'failed-logins-mail' order by created_on`

describe('after fifty wrong passwords for one account from several networks', () => {
  test('a login from an unknown device needs a solved challenge, also with the right password', async () => {
    expect(await guessFromManyNetworks(username)).toEqual(Array(50).fill(401))
    const challenged = await logIn(username, testPassword)
    expect(challenged.statusCode).toBe(403)
    expect(challenged.json()).toMatchObject({ code: 'challenge-required' })
    const altcha = await solveLoginChallenge(challenged)
    expect((await logIn(username, testPassword, { altcha })).statusCode).toBe(200)
  })

  test('each solution allows one guess', async () => {
    await guessFromManyNetworks(username)
    const altcha = await solveLoginChallenge(await logIn(username, 'wrong'))
    const replies = await Promise.all(
      Array.from({ length: 4 }, (_, n) =>
        logIn(username, 'wrong', { altcha, address: `203.0.113.${n + 2}` }),
      ),
    )
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([401, 403, 403, 403])
    const forged = { ...altcha, challenge: { ...altcha.challenge, signature: 'ab'.repeat(32) } }
    expect((await logIn(username, testPassword, { altcha: forged })).statusCode).toBe(403)
  })

  test('a device on which the owner logged in before needs none', async () => {
    const device = String((await logIn(username, testPassword)).cookies[0]?.value)
    await guessFromManyNetworks(username)
    expect((await logIn(username, 'wrong', { device })).statusCode).toBe(401)
    expect((await logIn(username, testPassword, { device })).statusCode).toBe(200)
  })

  test('other accounts are not affected', async () => {
    await signUp(site, `other${userCount}`)
    await guessFromManyNetworks(username)
    expect((await logIn(`other${userCount}`, testPassword)).statusCode).toBe(200)
  })

  test('an unknown name gets the same responses', async () => {
    const name = `missing${userCount}`
    expect(await guessFromManyNetworks(name)).toEqual(Array(50).fill(401))
    const [known, unknown] = [await guessFromManyNetworks(username), await logIn(name, testPassword)]
    expect(known).toEqual(Array(50).fill(401))
    const challenged = await logIn(username, 'wrong')
    expect(unknown.statusCode).toBe(challenged.statusCode)
    expect(Object.keys(unknown.json())).toEqual(Object.keys(challenged.json()))
    const altcha = await solveLoginChallenge(unknown)
    expect((await logIn(name, testPassword, { altcha })).statusCode).toBe(401)
  })

  test('one job is queued per name and day, whether or not an account has it', async () => {
    const before = (await queuedMails()).length
    const name = `missing${userCount}`
    for (const guessed of [username, name]) {
      await guessFromManyNetworks(guessed)
      for (let n = 0; n < 3; n++) await logIn(guessed, 'wrong', { address: `203.0.113.${n}` })
    }
    const [user] = await site.db<{ id: number }[]>`select id from users where username = ${username}`
    const queued = (await queuedMails()).slice(before)
    expect(queued.map(({ data }) => data)).toEqual([{ user_id: user?.id }, { user_id: null }])
  })

  test('a site that turned challenges off refuses the login and names the time to wait', async () => {
    const plain = await bootApp({
      settings: { rateLimitScale: 1, trustProxy: ['loopback'], registrationChallenge: 'off' },
    })
    try {
      await signUp(plain, username)
      await guessFromManyNetworks(username, plain.app)
      const refused = await logIn(username, testPassword, { app: plain.app })
      expect(refused.json()).toMatchObject({ code: 'login-rate-limited' })
      expect(Number(refused.headers['retry-after'])).toBe(1728)
    } finally {
      await plain.close()
    }
  })
})

describe('the owner of an account with many failed logins', () => {
  let worker: TestApp
  beforeAll(async () => {
    worker = await bootApp({ work: true, settings: { rateLimitScale: 1, trustProxy: ['loopback'] } })
  })
  afterAll(() => worker.close())

  test('gets one mail a day, which contains nothing that was entered', async () => {
    const { email } = await signUp(worker, 'owner')
    for (const name of ['owner', email]) {
      await guessFromManyNetworks(name, worker.app)
      await logIn(name, 'a guess that must not be mailed', { app: worker.app })
    }
    // Queued after the first mail was, so the second would have been sent before this one.
    await signUp(worker, 'another')
    await guessFromManyNetworks('another', worker.app)
    await logIn('another', 'wrong', { app: worker.app })
    await waitForMailsTo(worker, 'another@example.org')
    const [mail] = await waitForMailsTo(worker, email)
    expect(mail?.headers.subject).toBe('Many failed logins to your Reelmark account')
    expect(mail?.text).toContain('Many logins to your account failed')
    expect(mail?.text).not.toContain('a guess')
    expect(mail?.text).not.toContain('owner')
  })

  test('gets no mail at an address that is not confirmed', async () => {
    const { id } = await signUp(worker, 'unconfirmed')
    await worker.db`update users set email_confirmed_at = null where id = ${id}`
    const count = async () => (await worker.db`select from jobs.job where name = 'send-mail'`).length
    const before = await count()
    await failedLoginsQueue(worker.app.deps).work({ user_id: id })
    expect(await count()).toBe(before)
    await worker.db`update users set email_confirmed_at = now() where id = ${id}`
    await failedLoginsQueue(worker.app.deps).work({ user_id: id })
    expect(await count()).toBe(before + 1)
  })
})
