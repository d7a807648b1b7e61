import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { signUp, testPassword } from '../../testing/test-users.ts'

let site: TestApp
let people = 0
let name = ''
beforeAll(async () => {
  site = await bootApp({ settings: { rateLimitScale: 1, trustProxy: true } })
})
afterAll(() => site.close())
beforeEach(async () => {
  people += 1
  name = `owner${people}`
  await signUp(site, name)
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

/** The cookie that a browser has after its owner logged in. */
async function deviceCookie(username: string, device = ''): Promise<string> {
  const reply = await logIn(username, testPassword, { address: '203.0.113.200', device })
  return String(reply.cookies.find((cookie) => cookie.name === 'device')?.value)
}

async function useUp(username: string, from: { address?: string; device?: string } = {}): Promise<void> {
  for (let n = 0; n < 10; n++) expect((await logIn(username, 'wrong', from)).statusCode).toBe(401)
  expect((await logIn(username, testPassword, from)).statusCode).toBe(429)
}

describe('a browser that somebody logged in with', () => {
  test('gets a cookie for a year that scripts and other sites cannot use', async () => {
    const [cookie] = (await logIn(name, testPassword)).cookies
    expect(cookie).toEqual({
      name: 'device',
      value: expect.stringMatching(/^\d+\.[\w-]{22}\.[\w-]{43}$/),
      maxAge: 365 * 24 * 60 * 60,
      path: '/api/',
      httpOnly: true,
      sameSite: 'Strict',
    })
  })

  test('sends it over https alone where the site is there', async () => {
    const settings = { ...site.settings, publicUrl: 'https://reelmark.example' }
    const app = await buildApp({ ...site.app.deps, settings })
    const [cookie] = (await logIn(name, testPassword, { app })).cookies
    expect(cookie).toMatchObject({ name: 'device', secure: true })
    await app.close()
  })

  test('gets none for a wrong password', async () => {
    expect((await logIn(name, 'wrong')).headers['set-cookie']).toBeUndefined()
  })

  test('stays the same device when its owner logs in again; another browser is another', async () => {
    const device = await deviceCookie(name)
    expect(await deviceCookie(name, device)).toBe(device)
    expect(await deviceCookie(name)).not.toBe(device)
  })
})

describe('a trusted device', () => {
  test('gets in from an address whose attempts are used up, by name or by e-mail', async () => {
    const device = await deviceCookie(name)
    await useUp(name)
    for (const username of [name, name.toUpperCase(), `${name}@example.org`]) {
      expect((await logIn(username, testPassword, { device })).statusCode).toBe(200)
    }
  })

  test('has ten attempts of its own, and is told when there will be one again', async () => {
    const device = await deviceCookie(name)
    for (let n = 0; n < 10; n++) expect((await logIn(name, 'wrong', { device })).statusCode).toBe(401)
    const refused = await logIn(name, testPassword, { device, address: '198.51.100.1' })
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBe('60')
    // Neither the address nor the account’s other devices pay for it.
    expect((await logIn(name, testPassword)).statusCode).toBe(200)
    expect((await logIn(name, testPassword, { device: await deviceCookie(name) })).statusCode).toBe(200)
  })

  test('has ten attempts over all processes together', async () => {
    const device = await deviceCookie(name)
    const other = await buildApp(site.app.deps)
    for (let n = 0; n < 10; n++) await logIn(name, 'wrong', { device, app: n % 2 ? other : site.app })
    for (const app of [site.app, other]) {
      expect((await logIn(name, testPassword, { device, app })).statusCode).toBe(429)
    }
    await other.close()
  })

  test('is told apart by its cookie when the password is changed too', async () => {
    const reply = await logIn(name, testPassword)
    const device = String(reply.cookies[0]?.value)
    await useUp(name)
    const change = (cookie: string) =>
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
    expect((await change('')).statusCode).toBe(429)
    expect((await change(`device=${device}`)).statusCode).toBe(200)
  })
})

describe('no trusted device is', () => {
  const altered: [string, (device: string) => string][] = [
    [
      'one whose signature was altered',
      (device) => `${device.slice(0, -2)}${device.endsWith('A') ? 'B' : 'A'}A`,
    ],
    ['one with another nonce', (device) => device.replace(/\.[\w-]{22}\./, `.${'A'.repeat(22)}.`)],
    ['one of another number', (device) => `1${device}`],
    ['one without a signature', (device) => device.split('.').slice(0, 2).join('.')],
    ['one too much', (device) => `${device}.${device}`],
    ['nonsense', () => '%E0%A4%A; ;=;'],
    ['the longest there can be', (device) => device.repeat(100)],
  ]
  test.each(altered)('%s', async (_, alter) => {
    const device = alter(await deviceCookie(name))
    await useUp(name)
    expect((await logIn(name, testPassword, { device })).statusCode).toBe(429)
  })

  test('that of another account', async () => {
    const mallory = `mallory${people}`
    await signUp(site, mallory)
    const device = await deviceCookie(mallory)
    await useUp(name)
    expect((await logIn(name, testPassword, { device })).statusCode).toBe(429)
  })

  test('that of somebody banned', async () => {
    const device = await deviceCookie(name)
    await useUp(name)
    await site.db`update users set banned_at = now() where username = ${name}`
    expect((await logIn(name, testPassword, { device })).statusCode).toBe(429)
  })
})
