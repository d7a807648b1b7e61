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

/** Milliseconds for some hundred password hashes, each of which is slow on purpose, on a machine busy with others. */
const hashing = 600_000

/** As many at once as there are hashes under way and some waiting: quick, and none told to come again. */
async function eightAtATime<T>(rows: T[], work: (row: T, n: number) => Promise<void>): Promise<void> {
  for (let at = 0; at < rows.length; at += 8)
    await Promise.all(rows.slice(at, at + 8).map((row, n) => work(row, at + n)))
}

/** Every mounted POST with a JSON body, with ids that may be there: what people can send is what OpenAPI shows. */
function calls(): string[] {
  const { paths = {} } = site.app.swagger() as { paths?: Record<string, Record<string, unknown>> }
  return Object.entries(paths)
    .filter(([, methods]) => /"application\/json"/.test(JSON.stringify((methods.post as object) ?? {})))
    .filter(
      ([, methods]) => (methods.post as { requestBody?: unknown } | undefined)?.requestBody !== undefined,
    )
    .map(([path]) => path.replace(/\{\w+\}/g, '1'))
}

const readRights = async () =>
  (await site.db`select count(*) from users where is_moderator or is_verified`)[0]?.count

const bodies = openCorpus('security/json')
describe.skipIf(!bodies.exists)('bodies that other people made up', () => {
  test('are refused by every call, with a reason and without a fault of ours', async () => {
    const urls = calls()
    expect(urls).toContain('/api/token/')
    expect(urls).toContain('/api/auth/register/')
    const wrong: unknown[] = []
    for (const body of bodies.rows<string>('bodies.jsonl')) {
      for (const url of urls) {
        const { statusCode, body: answer } = await post(url, body)
        if (statusCode < 400 || statusCode >= 500 || !/^\{"/.test(answer))
          wrong.push({ url, body: body.slice(0, 80), statusCode, answer })
      }
    }
    expect(wrong).toEqual([])
    expect(await readRights()).toBe(0)
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

describe.skipIf(!naughty.exists)('strings that broke other sites', () => {
  test('as a username make an account of that name, or are refused at that field', async () => {
    const password = 'of nobody who logs in'
    await eightAtATime([...strings, ...injections], async (username, n) => {
      const body = { username, email: `n${n}@example.org`, password, password2: password }
      const reply = await post('/api/auth/register/', JSON.stringify(body))
      if (reply.statusCode === 201) expect(reply.json().username).toBe(username.normalize('NFC').trim())
      else expect([reply.statusCode, Object.keys(reply.json())]).toEqual([400, ['username', 'code']])
    })
  })

  test('as an e-mail are never a fault of ours', async () => {
    const { password } = mallory
    for (const [n, email] of [...strings, ...injections].entries()) {
      const body = { username: `mail${n}`, email, password, password2: password }
      const reply = await post('/api/auth/register/', JSON.stringify(body))
      expect([201, 400]).toContain(reply.statusCode)
    }
  })

  test(
    'as a password let in whoever registered with them, and are refused by rule otherwise',
    async () => {
      const fits = (text: string) => [...text].length >= 8 && [...text].length <= 128
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
          const isRefusable = !fits(password) || password.includes('\0') || !password.isWellFormed()
          if (!isRefusable) expect(reply.json().password).toEqual(['This password is too common.'])
        }
      })
      expect(accepted).toBeGreaterThan(100)
    },
    hashing,
  )

  test('in a profile’s address are not found', async () => {
    for (const text of [...strings, ...injections].filter((each) => each.isWellFormed())) {
      const reply = await site.app.inject(`/api/profile/${encodeURIComponent(text)}/`)
      expect([200, 404]).toContain(reply.statusCode)
    }
  })
})

describe.skipIf(!sqli.exists)('injections that other people tried', () => {
  test(
    'as name and password log nobody in and leave every row as it was',
    async () => {
      const count = async () =>
        (
          await site.db`
        select (select count(*) from users) as users, (select count(*) from sessions) as sessions,
               (select md5(string_agg(u::text, '' order by id)) from users u) as all_users`
        )[0]
      const before = await count()
      // A password never comes near SQL; a few will do, for each costs a hash.
      const attempts = injections.flatMap((line, n) => [
        { username: line, password: mallory.password },
        ...(n % 10 === 0 ? [{ username: 'mallory', password: line }] : []),
      ])
      site.statements.length = 0
      await eightAtATime(attempts, async (attempt) => {
        const reply = await post('/api/token/', JSON.stringify(attempt))
        expect([400, 401]).toContain(reply.statusCode)
      })
      expect(await count()).toEqual(before)
      // What was typed is in no statement's text, or there would be as many as there were attempts.
      expect(site.statements.length).toBeGreaterThan(attempts.length / 2)
      expect(new Set(site.statements).size).toBeLessThan(20)
    },
    hashing,
  )
})

test('a registration may say nothing of rights', async () => {
  for (const right of ['is_moderator', 'is_verified', 'roles', 'id', 'banned_at']) {
    const { password } = mallory
    const body = { username: 'eve', email: 'eve@example.org', password, password2: password, [right]: true }
    const reply = await post('/api/auth/register/', JSON.stringify(body))
    expect(reply.json()).toEqual({ [right]: ['Unknown field.'], code: 'invalid' })
  }
  expect(register.body).toHaveProperty('additionalProperties', false)
})
