import { logIn, register } from '@reelmark/contract/accounts.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCorpus } from './testing/corpora.ts'
import { bootApp, type TestApp } from './testing/test-app.ts'
import { signUp, type TestUser } from './testing/test-users.ts'

let site: TestApp
let mallory: TestUser
beforeAll(async () => {
  site = await bootApp()
  mallory = await signUp(site, 'mallory')
})
afterAll(() => site.close())

const post = (url: string, payload: string) =>
  site.app.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${mallory.access}`, 'content-type': 'application/json' },
    payload,
  })

/** Timeout in ms for some hundred password hashes, each of which is slow on purpose, on a busy machine. */
const hashingTimeoutMs = 600_000

/** Calls `work` for eight rows at a time, so that no request is refused because too many passwords are being hashed. */
async function eightAtATime<T>(rows: T[], work: (row: T, n: number) => Promise<void>): Promise<void> {
  for (let start = 0; start < rows.length; start += 8)
    await Promise.all(rows.slice(start, start + 8).map((row, n) => work(row, start + n)))
}

/** Returns the paths of all POST endpoints with a JSON body in the OpenAPI document, with an id of 1. */
function listPostPaths(): string[] {
  const { paths = {} } = site.app.swagger() as { paths?: Record<string, Record<string, unknown>> }
  return Object.entries(paths)
    .filter(([, methods]) => /"application\/json"/.test(JSON.stringify((methods.post as object) ?? {})))
    .filter(
      ([, methods]) => (methods.post as { requestBody?: unknown } | undefined)?.requestBody !== undefined,
    )
    .map(([path]) => path.replace(/\{\w+\}/g, '1'))
}

const countPrivilegedUsers = async () =>
  (await site.db`select count(*) from users where is_moderator or is_verified`)[0]?.count

const bodies = openCorpus('security/json')
describe.skipIf(!bodies.exists)('malicious bodies of the corpus', () => {
  test('are refused by every call with a message and without an internal error', async () => {
    const urls = listPostPaths()
    expect(urls).toContain('/api/token/')
    expect(urls).toContain('/api/auth/register/')
    const unexpected: unknown[] = []
    for (const body of bodies.rows<string>('bodies.jsonl')) {
      for (const url of urls) {
        const { statusCode, body: responseBody } = await post(url, body)
        if (statusCode < 400 || statusCode >= 500 || !/^\{"/.test(responseBody))
          unexpected.push({ url, body: body.slice(0, 80), statusCode, responseBody })
      }
    }
    expect(unexpected).toEqual([])
    expect(await countPrivilegedUsers()).toBe(0)
  })
})

const naughty = openCorpus('security/naughty')
const strings = [...naughty.rows<string>('blns.jsonl'), ...naughty.rows<string>('own.jsonl')]
const sqli = openCorpus('security/sqli')
const injections = sqli.exists
  ? sqli
      .bytes('sqli.txt')
      .toString()
      .split('\n')
      .filter((line) => line !== '')
  : []

describe.skipIf(!naughty.exists)('unusual strings of the corpus', () => {
  test('as a username are accepted unchanged or refused with an error for the field', async () => {
    const password = 'a password for all of them'
    await eightAtATime([...strings, ...injections], async (username, n) => {
      const body = { username, email: `n${n}@example.org`, password, password2: password }
      const reply = await post('/api/auth/register/', JSON.stringify(body))
      if (reply.statusCode === 201) expect(reply.json().username).toBe(username.normalize('NFC').trim())
      else expect([reply.statusCode, Object.keys(reply.json())]).toEqual([400, ['username', 'code']])
    })
  })

  test('as an e-mail address cause no internal error', async () => {
    const { password } = mallory
    for (const [n, email] of [...strings, ...injections].entries()) {
      const body = { username: `mail${n}`, email, password, password2: password }
      const reply = await post('/api/auth/register/', JSON.stringify(body))
      expect([201, 400]).toContain(reply.statusCode)
    }
  })

  test(
    'as a password work for logging in, or are refused by the password rules',
    async () => {
      const hasValidLength = (text: string) => [...text].length >= 8 && [...text].length <= 128
      let accepted = 0
      await eightAtATime(strings, async (password, n) => {
        const username = `odd${n}`
        const body = { username, email: `${username}@example.org`, password, password2: password }
        const reply = await post('/api/auth/register/', JSON.stringify(body))
        if (reply.statusCode === 201) {
          accepted += 1
          await site.call(logIn, { body: { username, password } })
        } else {
          expect([reply.statusCode, Object.keys(reply.json())[0]]).toEqual([400, 'password'])
          const isRefusable = !hasValidLength(password) || password.includes('\0') || !password.isWellFormed()
          if (!isRefusable) expect(reply.json().password).toEqual(['This password is too common.'])
        }
      })
      expect(accepted).toBeGreaterThan(100)
    },
    hashingTimeoutMs,
  )

  test('in the path of a profile are not found', async () => {
    for (const text of [...strings, ...injections].filter((text) => text.isWellFormed())) {
      const reply = await site.app.inject(`/api/profile/${encodeURIComponent(text)}/`)
      expect([200, 404]).toContain(reply.statusCode)
    }
  })
})

describe.skipIf(!sqli.exists)('SQL injections of the corpus', () => {
  test(
    'as username and password fail to log in and change no row',
    async () => {
      const readState = async () =>
        (
          await site.db`
        select (select count(*) from users) as users, (select count(*) from sessions) as sessions,
               (select md5(string_agg(u::text, '' order by id)) from users u) as all_users`
        )[0]
      const before = await readState()
      // Passwords are never part of SQL, so a few are enough; each costs a hash.
      const attempts = injections.flatMap((line, n) => [
        { username: line, password: mallory.password },
        ...(n % 10 === 0 ? [{ username: 'mallory', password: line }] : []),
      ])
      site.statements.length = 0
      await eightAtATime(attempts, async (attempt) => {
        const reply = await post('/api/token/', JSON.stringify(attempt))
        expect([400, 401]).toContain(reply.statusCode)
      })
      expect(await readState()).toEqual(before)
      // No value is part of a statement's text; otherwise there would be as many texts as attempts.
      expect(site.statements.length).toBeGreaterThan(attempts.length / 2)
      expect(new Set(site.statements).size).toBeLessThan(20)
    },
    hashingTimeoutMs,
  )
})

test('a registration cannot contain rights', async () => {
  for (const field of ['is_moderator', 'is_verified', 'roles', 'id', 'banned_at']) {
    const { password } = mallory
    const body = { username: 'eve', email: 'eve@example.org', password, password2: password, [field]: true }
    const reply = await post('/api/auth/register/', JSON.stringify(body))
    expect(reply.json()).toEqual({ [field]: ['Unknown field.'], code: 'invalid' })
  }
  expect(register.body).toHaveProperty('additionalProperties', false)
})
