import { randomBytes } from 'node:crypto'
import { tokenPrefix } from '@reelmark/contract/access-tokens.ts'
import { logIn } from '@reelmark/contract/accounts.ts'
import { errors } from '@reelmark/contract/errors.ts'
import {
  beginAuthenticator,
  confirmAuthenticator,
  logInBySecondFactor,
  removeAuthenticator,
  renewRecoveryCodes,
} from '@reelmark/contract/second-factor.ts'
import { Secret } from 'otpauth'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { opaqueTokenHash } from '../../core/opaque-tokens.ts'
import { bootApp, type TestApp } from '../../testing/app.ts'
import { mailsTo } from '../../testing/outbox.ts'
import { failure, type PersonInTest, signUp } from '../../testing/people.ts'
import {
  codeOf,
  firstStep,
  setUpAuthenticator,
  stopClock,
  waitForNextCode,
} from '../../testing/second-factor.ts'

let site: TestApp
let people = 0
let alice: PersonInTest
beforeAll(async () => {
  site = await bootApp({ work: true })
})
afterAll(() => site.close())
beforeEach(async () => {
  stopClock()
  people += 1
  alice = await signUp(site, `Alice${people}`)
})
afterEach(() => void vi.useRealTimers())

const nothingBegun = {
  status: 400,
  body: { code: ['There is no app waiting for a code. Please start again.'] },
}
const notFound = { status: 404, body: { detail: 'Not found.' } }
const begin = (as = alice) => site.call(beginAuthenticator, {}, as)
const confirm = (code: string) => site.call(confirmAuthenticator, { body: { code } }, alice)
const remove = () => site.call(removeAuthenticator, {}, alice)
const renew = () => site.call(renewRecoveryCodes, {}, alice)
const canLogInByPasswordAlone = () =>
  site.call(logIn, { body: { username: alice.username, password: alice.password } }).then(
    () => true,
    () => false,
  )
const addPasskey = () => site.db`
  insert into passkeys (user_id, credential_id, public_key, name)
  values (${alice.id}, ${randomBytes(16)}, ${randomBytes(16)}, 'A key')`

describe('setting up an authenticator app', () => {
  test('begins with a secret to type in and an address for a QR code', async () => {
    const { secret, url } = await begin()
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(url).toBe(
      `otpauth://totp/Reelmark:${alice.username}?issuer=Reelmark&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    )
    expect(await canLogInByPasswordAlone()).toBe(true)
  })

  test('ends with a code of it, and with ten recovery codes', async () => {
    const { secret } = await begin()
    const code = codeOf(secret)
    const { recovery_codes } = await confirm(`${code.slice(0, 3)} ${code.slice(3)}`)
    expect(new Set(recovery_codes).size).toBe(10)
    for (const code of recovery_codes ?? []) expect(code).toMatch(/^[2-9a-hjkmnp-z]{5}-[2-9a-hjkmnp-z]{5}$/)
    expect(await canLogInByPasswordAlone()).toBe(false)
  })

  test('takes no wrong code, and no code where nothing was begun', async () => {
    expect(await failure(confirm('123456'))).toEqual(nothingBegun)
    const { secret } = await begin()
    expect(await failure(confirm(codeOf(secret, 100)))).toEqual({
      status: 400,
      body: { code: ['That code is not right. Codes are good for 30 seconds, and each works once.'] },
    })
    expect((await failure(confirm('x'.repeat(21)))).body).toHaveProperty('code')
    expect(await canLogInByPasswordAlone()).toBe(true)
  })

  test('begun again, takes codes of the new secret only', async () => {
    const first = await begin()
    const second = await begin()
    expect(second.secret).not.toBe(first.secret)
    expect((await failure(confirm(codeOf(first.secret)))).status).toBe(400)
    await confirm(codeOf(second.secret))
  })

  test('is not begun, nor confirmed, while one is set up', async () => {
    const { secret } = await setUpAuthenticator(site, alice)
    expect(await failure(begin())).toEqual({ status: 409, body: { detail: errors['too-many-there'][1] } })
    expect(await failure(confirm(codeOf(secret, 1)))).toEqual(nothingBegun)
  })

  test('happens once, of several confirmations at once', async () => {
    const { secret } = await begin()
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => confirm(codeOf(secret))))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await site.db`select from recovery_codes where user_id = ${alice.id}`).toHaveLength(10)
  })

  test('leaves the recovery codes that somebody with a passkey has', async () => {
    await addPasskey()
    const { recovery_codes: codes } = await renew()
    const { secret } = await begin()
    expect(await confirm(codeOf(secret))).toEqual({ recovery_codes: null })
    waitForNextCode()
    const { ticket, methods } = await firstStep(site, alice)
    expect(methods).toEqual(['authenticator', 'passkey', 'recovery_code'])
    await site.call(logInBySecondFactor, { body: { ticket, code: codes[0] ?? '' } })
  })
})

describe('removing it', () => {
  test('ends the second step, and the recovery codes', async () => {
    await setUpAuthenticator(site, alice)
    await remove()
    expect(await canLogInByPasswordAlone()).toBe(true)
    expect(await site.db`select from recovery_codes where user_id = ${alice.id}`).toHaveLength(0)
    expect(await failure(remove())).toEqual(notFound)
    await setUpAuthenticator(site, alice)
  })

  test('leaves the recovery codes to somebody with a passkey', async () => {
    await addPasskey()
    await setUpAuthenticator(site, alice)
    await remove()
    expect((await firstStep(site, alice)).methods).toEqual(['passkey', 'recovery_code'])
  })

  test('is not possible before a code was given: it does not count yet', async () => {
    const { secret } = await begin()
    expect(await failure(remove())).toEqual(notFound)
    await confirm(codeOf(secret))
  })
})

describe('new recovery codes', () => {
  test('take the place of the old ones', async () => {
    const { recovery_codes: old } = await setUpAuthenticator(site, alice)
    const { recovery_codes: renewed } = await renew()
    expect(renewed).toHaveLength(10)
    const { ticket } = await firstStep(site, alice)
    const use = (code = '') => site.call(logInBySecondFactor, { body: { ticket, code } })
    expect(await failure(use(old[0]))).toEqual({
      status: 400,
      body: { code: ['That recovery code is not right, or was used already.'] },
    })
    await use(renewed[0])
  })

  test('are not made where there is no second factor to recover', async () => {
    expect(await failure(renew())).toEqual(notFound)
    await begin()
    expect(await failure(renew())).toEqual(notFound)
  })
})

describe('who changes how they sign in', () => {
  const calls = {
    begin: () => begin(alice),
    confirm: () => confirm('123456'),
    remove,
    renew,
  }

  test.each(Object.entries(calls))('must be signed in to %s', async (_, change) => {
    alice.access = 'forged'
    expect((await failure(change())).status).toBe(401)
  })

  test.each(Object.entries(calls))('cannot %s by an access token', async (_, change) => {
    alice.access = `${tokenPrefix}${randomBytes(20).toString('hex')}`
    await site.db`
      insert into access_tokens (user_id, hash, hint, name, scopes)
      values (${alice.id}, ${opaqueTokenHash(alice.access)}, 'x', 'A script', '{read,write}')`
    expect(await failure(change())).toEqual({ status: 403, body: { detail: errors['no-scope'][1] } })
  })

  test.each(Object.entries(calls))(
    'confirms who they are to %s, fifteen minutes after signing in',
    async (_, change) => {
      await site.db`update sessions set authenticated_at = authenticated_at - interval '15 minutes' where user_id = ${alice.id}`
      expect(await failure(change())).toEqual({
        status: 403,
        body: { detail: 'Confirm that it is you.', confirm: ['password'] },
      })
    },
  )
})

test('every change is mailed to the account’s owner; what changed nothing is not', async () => {
  await begin()
  await failure(remove())
  const { recovery_codes } = await setUpAuthenticator(site, alice)
  await failure(confirm('123456'))
  const { ticket } = await firstStep(site, alice)
  await failure(site.call(logInBySecondFactor, { body: { ticket, code: 'aaaaa-aaaaa' } }))
  await site.call(logInBySecondFactor, { body: { ticket, code: recovery_codes[0] ?? '' } })
  await renew()
  await remove()
  vi.useRealTimers()
  const mails = (await mailsTo(site, alice.email, 4)).map(({ text }) => text.replace(/\s+/g, ' '))
  for (const told of [
    'set up an authenticator app.',
    'used a recovery code to log in; it does not work again (9 left).',
    'made new recovery codes; the old ones do not work any more.',
    'removed the authenticator app.',
  ]) {
    expect(mails.filter((text) => text.includes(told))).toHaveLength(1)
  }
})

test('no secret, no code and no ticket lies in a table or a log as it is', async () => {
  const { secret, recovery_codes } = await setUpAuthenticator(site, alice)
  waitForNextCode()
  const spent = await firstStep(site, alice)
  const code = codeOf(secret)
  await failure(site.call(logInBySecondFactor, { body: { ticket: spent.ticket, code: codeOf(secret, 100) } }))
  await site.call(logInBySecondFactor, { body: { ticket: spent.ticket, code } })
  const { ticket } = await firstStep(site, alice)
  const texts = [secret, ticket, spent.ticket, ...recovery_codes].flatMap((text) => [
    text,
    text.replace('-', ''),
    Buffer.from(text).toString('hex'),
  ])
  const raw = Buffer.from(Secret.fromBase32(secret).bytes)
  const secrets = [...texts, raw.toString('hex'), raw.toString('base64')]

  const tables = await site.db<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`
  const rows: string[] = []
  for (const { name } of tables) {
    for (const { row } of await site.db.unsafe<{ row: string }[]>(`select r::text as row from ${name} r`)) {
      rows.push(`${name} ${row}`)
    }
  }
  expect(rows.filter((row) => row.startsWith('public.authenticators'))).not.toEqual([])
  expect(rows.filter((row) => row.startsWith('public.one_time_tickets'))).not.toEqual([])
  const tellsOne = (line: string) => secrets.some((text) => line.includes(text))
  expect(rows.filter(tellsOne)).toEqual([])
  expect(site.log.map((line) => JSON.stringify(line)).filter(tellsOne)).toEqual([])
})

test('a secret moved to somebody else’s row makes no codes for them', async () => {
  const { secret } = await setUpAuthenticator(site, alice)
  const mallory = await signUp(site, `Mallory${people}`)
  await setUpAuthenticator(site, mallory)
  waitForNextCode()
  await site.db`
    update authenticators set secret = (select secret from authenticators where user_id = ${alice.id})
     where user_id = ${mallory.id}`
  const { ticket } = await firstStep(site, mallory)
  const answer = await failure(site.call(logInBySecondFactor, { body: { ticket, code: codeOf(secret) } }))
  // Nobody but who writes to the tables gets here: that is an error to look at.
  expect(answer.status).toBe(500)
  site.log.splice(0, site.log.length, ...site.log.filter(({ level }) => level < 50))
})
