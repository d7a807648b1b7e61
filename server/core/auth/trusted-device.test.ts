import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { signUp, testPassword } from '../../testing/test-users.ts'

let site: TestApp
let userCount = 0
let username = ''
beforeAll(async () => {
  site = await bootApp({ settings: { rateLimitScale: 1, trustProxy: ['loopback'] } })
})
afterAll(() => site.close())
beforeEach(async () => {
  userCount += 1
  username = `owner${userCount}`
  await signUp(site, username)
  await site.db`truncate rate_limits`
})

const logIn = (
  username: string,
  password: string,
  { address = '192.0.2.1', device = '', app = site.app } = {},
) =>
  app.inject({
    method: 'POST',
    url: '/api/token/',
    headers: { 'x-forwarded-for': address, ...(device && { cookie: `other=1; device=${device}` }) },
    payload: { username, password },
  })

/** Logs in and returns the device cookie. */
async function createDeviceCookie(username: string, device = ''): Promise<string> {
  const reply = await logIn(username, testPassword, { address: '203.0.113.200', device })
  return String(reply.cookies.find((cookie) => cookie.name === 'device')?.value)
}

async function exhaustAttempts(
  username: string,
  source: { address?: string; device?: string } = {},
): Promise<void> {
  for (let n = 0; n < 10; n++) expect((await logIn(username, 'wrong', source)).statusCode).toBe(401)
  expect((await logIn(username, testPassword, source)).statusCode).toBe(429)
}

test('the device of an account that only entered the owner’s address is not trusted for the owner', async () => {
  const mallory = `mallory${userCount}`
  await signUp(site, mallory)
  await site.db`
    update users set email = ${`${username}@example.org`}, email_confirmed_at = null where username = ${mallory}`
  const device = await createDeviceCookie(mallory)
  const address = '192.0.2.66'
  await exhaustAttempts(`${username}@example.org`, { address })
  expect((await logIn(`${username}@example.org`, 'wrong', { address, device })).statusCode).toBe(429)
})

describe('logging in', () => {
  test('sets a cookie for a year that scripts and other sites cannot use', async () => {
    const [cookie] = (await logIn(username, testPassword)).cookies
    expect(cookie).toEqual({
      name: 'device',
      value: expect.stringMatching(/^\d+\.\d+\.[\w-]{22}\.[\w-]{43}$/),
      maxAge: 365 * 24 * 60 * 60,
      path: '/',
      httpOnly: true,
      sameSite: 'Strict',
    })
  })

  test('sets a cookie for https only if the site uses https', async () => {
    const settings = { ...site.settings, publicUrl: 'https://reelmark.example' }
    const app = await buildApp({ ...site.app.deps, settings })
    const [cookie] = (await logIn(username, testPassword, { app })).cookies
    expect(cookie).toMatchObject({ name: '__Host-device', secure: true, path: '/' })
    expect(cookie?.domain).toBeUndefined()
    // A cookie without the prefix may be from another subdomain: it does not count as this device.
    const again = async (name: string) =>
      (
        await app.inject({
          method: 'POST',
          url: '/api/token/',
          headers: { cookie: `${name}=${cookie?.value}` },
          payload: { username, password: testPassword },
        })
      ).cookies[0]?.value
    expect(await again('__Host-device')).toBe(cookie?.value)
    expect(await again('device')).not.toBe(cookie?.value)
    await app.close()
  })

  test('with a wrong password sets no cookie', async () => {
    expect((await logIn(username, 'wrong')).headers['set-cookie']).toBeUndefined()
  })

  test('again keeps the device of the browser, while another browser becomes another device', async () => {
    const device = await createDeviceCookie(username)
    expect(await createDeviceCookie(username, device)).toBe(device)
    expect(await createDeviceCookie(username)).not.toBe(device)
  })
})

describe('a trusted device', () => {
  test('can log in by username or e-mail from an address whose attempts are used up', async () => {
    const device = await createDeviceCookie(username)
    await exhaustAttempts(username)
    for (const alias of [username, username.toUpperCase(), `${username}@example.org`]) {
      expect((await logIn(alias, testPassword, { device })).statusCode).toBe(200)
    }
  })

  test('has ten attempts of its own, and is then told how long to wait', async () => {
    const device = await createDeviceCookie(username)
    for (let n = 0; n < 10; n++) expect((await logIn(username, 'wrong', { device })).statusCode).toBe(401)
    const refused = await logIn(username, testPassword, { device, address: '198.51.100.1' })
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBe('60')
    // The attempts of the address and of the account's other devices are unaffected.
    expect((await logIn(username, testPassword)).statusCode).toBe(200)
    expect(
      (await logIn(username, testPassword, { device: await createDeviceCookie(username) })).statusCode,
    ).toBe(200)
  })

  test('has ten attempts across all processes', async () => {
    const device = await createDeviceCookie(username)
    const otherApp = await buildApp(site.app.deps)
    for (let n = 0; n < 10; n++) await logIn(username, 'wrong', { device, app: n % 2 ? otherApp : site.app })
    for (const app of [site.app, otherApp]) {
      expect((await logIn(username, testPassword, { device, app })).statusCode).toBe(429)
    }
    await otherApp.close()
  })

  test('has its own attempts for changing the password, too', async () => {
    const reply = await logIn(username, testPassword)
    const device = String(reply.cookies[0]?.value)
    await exhaustAttempts(username)
    const changePassword = (cookie: string) =>
      site.app.inject({
        method: 'POST',
        url: '/api/auth/password-change/',
        headers: {
          authorization: `Bearer ${reply.json().access}`,
          'x-forwarded-for': '192.0.2.1',
          cookie,
        },
        payload: {
          old_password: testPassword,
          new_password1: 'a longer walk',
          new_password2: 'a longer walk',
        },
      })
    expect((await changePassword('')).statusCode).toBe(429)
    expect((await changePassword(`device=${device}`)).statusCode).toBe(200)
  })
})

describe('a device is not trusted', () => {
  const altered: [string, (device: string) => string][] = [
    [
      'if the signature was altered',
      (device) => `${device.slice(0, -2)}${device.endsWith('A') ? 'B' : 'A'}A`,
    ],
    ['if the nonce was changed', (device) => device.replace(/\.[\w-]{22}\./, `.${'A'.repeat(22)}.`)],
    ['if the user id was changed', (device) => `1${device}`],
    ['if the generation was changed', (device) => device.replace('.', '.1')],
    ['without a signature', (device) => device.split('.').slice(0, 3).join('.')],
    ['if the cookie has additional parts', (device) => `${device}.${device}`],
    ['if the cookie is malformed', () => '%E0%A4%A; ;=;'],
    ['if the cookie is very long', (device) => device.repeat(100)],
  ]
  test.each(altered)('%s', async (_, alter) => {
    const device = alter(await createDeviceCookie(username))
    await exhaustAttempts(username)
    expect((await logIn(username, testPassword, { device })).statusCode).toBe(429)
  })

  test('if it belongs to another account', async () => {
    const mallory = `mallory${userCount}`
    await signUp(site, mallory)
    const device = await createDeviceCookie(mallory)
    await exhaustAttempts(username)
    expect((await logIn(username, testPassword, { device })).statusCode).toBe(429)
  })

  test('if its account is banned', async () => {
    const device = await createDeviceCookie(username)
    await exhaustAttempts(username)
    await site.db`update users set banned_at = now() where username = ${username}`
    expect((await logIn(username, testPassword, { device })).statusCode).toBe(429)
  })
})
