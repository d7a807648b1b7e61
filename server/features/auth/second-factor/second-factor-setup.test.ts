import { randomBytes } from 'node:crypto'
import { tokenPrefix } from '@reelmark/contract/access-tokens.ts'
import { logIn } from '@reelmark/contract/accounts.ts'
import { errors } from '@reelmark/contract/protocol/errors.ts'
import {
  beginAuthenticator,
  confirmAuthenticator,
  deleteAuthenticator,
  logInWithSecondFactor,
  renewRecoveryCodes,
} from '@reelmark/contract/second-factor.ts'
import { Secret } from 'otpauth'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { hashOpaqueToken } from '../../../core/auth/hash-token.ts'
import { waitForMailsTo } from '../../../testing/outbox.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import {
  freezeClock,
  passLoginFirstStep,
  setUpAuthenticator,
  totpCode,
  waitForNextCode,
} from '../../../testing/test-second-factor.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let userCount = 0
let alice: TestUser
beforeAll(async () => {
  site = await bootApp({ work: true })
})
afterAll(() => site.close())
beforeEach(async () => {
  freezeClock()
  userCount += 1
  alice = await signUp(site, `Alice${userCount}`)
})
afterEach(() => void vi.useRealTimers())

const nothingBegun = {
  status: 400,
  body: { code: 'invalid', verification_code: ['Setup expired. Start again.'] },
}
const notFound = { status: 404, body: { detail: 'Not found.', code: 'not-found' } }
const begin = (user = alice) => site.call(beginAuthenticator, {}, user)
const confirm = (code: string) =>
  site.call(confirmAuthenticator, { body: { verification_code: code } }, alice)
const remove = () => site.call(deleteAuthenticator, {}, alice)
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
  test('begins with a secret as text and as the URL for a QR code', async () => {
    const { secret, url } = await begin()
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(url).toBe(
      `otpauth://totp/Reelmark:${alice.username}?issuer=Reelmark&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    )
    expect(await canLogInByPasswordAlone()).toBe(true)
  })

  test('is completed with a code and returns ten recovery codes', async () => {
    const { secret } = await begin()
    const code = totpCode(secret)
    const { recovery_codes } = await confirm(`${code.slice(0, 3)} ${code.slice(3)}`)
    expect(new Set(recovery_codes).size).toBe(10)
    for (const code of recovery_codes ?? []) expect(code).toMatch(/^[2-9a-hjkmnp-z]{5}-[2-9a-hjkmnp-z]{5}$/)
    expect(await canLogInByPasswordAlone()).toBe(false)
  })

  test('refuses a wrong code, and any code before it was begun', async () => {
    expect(await failedReply(confirm('123456'))).toEqual(nothingBegun)
    const { secret } = await begin()
    expect(await failedReply(confirm(totpCode(secret, 100)))).toEqual({
      status: 400,
      body: {
        code: 'invalid',
        verification_code: ['Incorrect code. Codes change every 30 seconds and work once.'],
      },
    })
    expect((await failedReply(confirm('x'.repeat(21)))).body).toHaveProperty('verification_code')
    expect(await canLogInByPasswordAlone()).toBe(true)
  })

  test('can be begun again, with a new secret that replaces the first', async () => {
    const first = await begin()
    const second = await begin()
    expect(second.secret).not.toBe(first.secret)
    expect((await failedReply(confirm(totpCode(first.secret)))).status).toBe(400)
    await confirm(totpCode(second.secret))
  })

  test('can neither be begun nor confirmed while an app is set up', async () => {
    const { secret } = await setUpAuthenticator(site, alice)
    expect(await failedReply(begin())).toEqual({
      status: 409,
      body: { detail: errors['limit-reached'][1], code: 'limit-reached' },
    })
    expect(await failedReply(confirm(totpCode(secret, 1)))).toEqual(nothingBegun)
  })

  test('succeeds once with several concurrent confirmations', async () => {
    const { secret } = await begin()
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => confirm(totpCode(secret))))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await site.db`select from recovery_codes where user_id = ${alice.id}`).toHaveLength(10)
  })

  test('keeps the existing recovery codes of a user with a passkey', async () => {
    await addPasskey()
    const { recovery_codes: codes } = await renew()
    const { secret } = await begin()
    expect(await confirm(totpCode(secret))).toEqual({ recovery_codes: null })
    waitForNextCode()
    const { ticket, methods } = await passLoginFirstStep(site, alice)
    expect(methods).toEqual(['authenticator', 'passkey', 'recovery_code'])
    await site.call(logInWithSecondFactor, { body: { ticket, verification_code: codes[0] ?? '' } })
  })
})

describe('removing an authenticator app', () => {
  test('ends two-step verification and deletes the recovery codes', async () => {
    await setUpAuthenticator(site, alice)
    await remove()
    expect(await canLogInByPasswordAlone()).toBe(true)
    expect(await site.db`select from recovery_codes where user_id = ${alice.id}`).toHaveLength(0)
    expect(await failedReply(remove())).toEqual(notFound)
    await setUpAuthenticator(site, alice)
  })

  test('keeps the recovery codes of a user with a passkey', async () => {
    await addPasskey()
    await setUpAuthenticator(site, alice)
    await remove()
    expect((await passLoginFirstStep(site, alice)).methods).toEqual(['passkey', 'recovery_code'])
  })

  test('fails before the app was confirmed', async () => {
    const { secret } = await begin()
    expect(await failedReply(remove())).toEqual(notFound)
    await confirm(totpCode(secret))
  })
})

describe('new recovery codes', () => {
  test('replace the old ones', async () => {
    const { recovery_codes: old } = await setUpAuthenticator(site, alice)
    const { recovery_codes: renewed } = await renew()
    expect(renewed).toHaveLength(10)
    const { ticket } = await passLoginFirstStep(site, alice)
    const use = (code = '') => site.call(logInWithSecondFactor, { body: { ticket, verification_code: code } })
    expect(await failedReply(use(old[0]))).toEqual({
      status: 400,
      body: { code: 'invalid', verification_code: ['Incorrect or already used recovery code.'] },
    })
    await use(renewed[0])
  })

  test('are not created for a user without a second factor', async () => {
    expect(await failedReply(renew())).toEqual(notFound)
    await begin()
    expect(await failedReply(renew())).toEqual(notFound)
  })
})

describe('a change to the second factor', () => {
  const calls = {
    begin: () => begin(alice),
    confirm: () => confirm('123456'),
    remove,
    renew,
  }

  test.each(Object.entries(calls))('requires authentication to %s', async (_, change) => {
    alice.access = 'forged'
    expect((await failedReply(change())).status).toBe(401)
  })

  test.each(Object.entries(calls))('does not allow an access token to %s', async (_, change) => {
    alice.access = `${tokenPrefix}${randomBytes(20).toString('hex')}`
    await site.db`
      insert into access_tokens (user_id, hash, hint, name, scopes)
      values (${alice.id}, ${hashOpaqueToken(alice.access)}, 'x', 'A script', '{read,write}')`
    expect(await failedReply(change())).toEqual({
      status: 403,
      body: { detail: errors['insufficient-scope'][1], code: 'insufficient-scope' },
    })
  })

  test.each(Object.entries(calls))(
    'requires reauthentication to %s, fifteen minutes after the login',
    async (_, change) => {
      await site.db`update sessions set authenticated_at = authenticated_at - interval '15 minutes' where user_id = ${alice.id}`
      expect(await failedReply(change())).toEqual({
        status: 403,
        body: {
          detail: "Confirm it's you.",
          code: 'reauthentication-required',
          methods: ['password'],
          second_factors: [],
        },
      })
    },
  )
})

test('the owner gets a mail about every change, and none about failed attempts', async () => {
  await begin()
  await failedReply(remove())
  const { recovery_codes } = await setUpAuthenticator(site, alice)
  await failedReply(confirm('123456'))
  const { ticket } = await passLoginFirstStep(site, alice)
  await failedReply(site.call(logInWithSecondFactor, { body: { ticket, verification_code: 'aaaaa-aaaaa' } }))
  await site.call(logInWithSecondFactor, { body: { ticket, verification_code: recovery_codes[0] ?? '' } })
  await renew()
  await remove()
  vi.useRealTimers()
  const mails = (await waitForMailsTo(site, alice.email, 4)).map(({ text }) => text.replace(/\s+/g, ' '))
  for (const sentence of [
    'An authenticator app was set up for your account.',
    'A recovery code was used to log in.',
    'New recovery codes were generated, and the old ones stopped working.',
    'The authenticator app was removed from your account.',
  ]) {
    expect(mails.filter((text) => text.includes(sentence))).toHaveLength(1)
  }
})

test('recovery codes are stored as Argon2id hashes with a salt of their user', async () => {
  await setUpAuthenticator(site, alice)
  const mallory = await signUp(site, `Salt${userCount}`)
  await setUpAuthenticator(site, mallory)
  const readSalts = async ({ id }: { id: number }) => {
    const rows = await site.db<{ code_hash: string }[]>`
      select code_hash from recovery_codes where user_id = ${id}`
    expect(rows).toHaveLength(10)
    for (const { code_hash } of rows) expect(code_hash).toMatch(/^\$argon2id\$v=19\$/)
    return [...new Set(rows.map(({ code_hash }) => code_hash.split('$')[4]))]
  }
  const salts = [...(await readSalts(alice)), ...(await readSalts(mallory))]
  expect(new Set(salts).size).toBe(2)
})

test('secrets, codes and tickets are stored in no table and no log in plain text', async () => {
  const { secret, recovery_codes } = await setUpAuthenticator(site, alice)
  waitForNextCode()
  const usedLogin = await passLoginFirstStep(site, alice)
  const code = totpCode(secret)
  await failedReply(
    site.call(logInWithSecondFactor, {
      body: { ticket: usedLogin.ticket, verification_code: totpCode(secret, 100) },
    }),
  )
  await site.call(logInWithSecondFactor, { body: { ticket: usedLogin.ticket, verification_code: code } })
  const { ticket } = await passLoginFirstStep(site, alice)
  const secretTexts = [secret, ticket, usedLogin.ticket, ...recovery_codes].flatMap((text) => [
    text,
    text.replace('-', ''),
    Buffer.from(text).toString('hex'),
  ])
  const raw = Buffer.from(Secret.fromBase32(secret).bytes)
  const secrets = [...secretTexts, raw.toString('hex'), raw.toString('base64')]

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
  const containsSecret = (line: string) => secrets.some((text) => line.includes(text))
  expect(rows.filter(containsSecret)).toEqual([])
  expect(site.log.map((line) => JSON.stringify(line)).filter(containsSecret)).toEqual([])
})

test('an encrypted secret copied to another user’s row does not work there', async () => {
  const { secret } = await setUpAuthenticator(site, alice)
  const mallory = await signUp(site, `Mallory${userCount}`)
  await setUpAuthenticator(site, mallory)
  waitForNextCode()
  await site.db`
    update authenticators set secret = (select secret from authenticators where user_id = ${alice.id})
     where user_id = ${mallory.id}`
  const { ticket } = await passLoginFirstStep(site, mallory)
  const reply = await failedReply(
    site.call(logInWithSecondFactor, { body: { ticket, verification_code: totpCode(secret) } }),
  )
  // Only someone with access to the tables can cause this, so it is an internal error.
  expect(reply.status).toBe(500)
  site.log.splice(0, site.log.length, ...site.log.filter(({ level }) => level < 50))
})
