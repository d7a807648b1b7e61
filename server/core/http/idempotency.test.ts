import { endpoint } from '@reelmark/contract/protocol/endpoint.ts'
import Fastify, { type FastifyInstance } from 'fastify'
import * as t from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, slowTimeouts, type TestDatabase } from '../../testing/test-database.ts'
import { serverKey } from '../auth/server-keys.ts'
import { signAccessToken, tokenOptions } from '../auth/tokens.ts'
import { connect, type Sql } from '../database/database.ts'
import { mount } from './endpoints.ts'
import { ApiError, registerErrors } from './errors.ts'
import { registerValidation } from './validation.ts'
import { createVisitorCache } from './visitor-cache.ts'

const Note = t.Object({ text: t.String(), wish: t.Optional(t.String()) }, { additionalProperties: false })
const writeNote = endpoint({
  method: 'POST',
  path: '/notes/',
  summary: 'Write a note',
  group: 'test',
  auth: 'user',
  body: Note,
  status: 201,
  reply: t.Object({ id: t.Integer(), at: t.String({ format: 'date-time' }), text: t.String() }),
  errors: ['invalid'],
  idempotent: true,
})
const tearNote = endpoint({
  method: 'DELETE',
  path: '/notes/',
  summary: 'Tear a note',
  group: 'test',
  auth: 'user',
  status: 204,
  reply: t.Null(),
  errors: [],
  idempotent: true,
})

let database: TestDatabase
let db: Sql
let app: FastifyInstance
let alice: string
let bob: string
/** What has really been written. */
let notes: string[] = []
/** Lets the handlers that wait go on. */
let goOn = () => {}

beforeAll(async () => {
  database = await createTestDatabase()
  db = connect(database.url, slowTimeouts)
  app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  const settings = { rateLimitScale: 0 }
  app.decorate('deps', { db, settings, visitorCache: createVisitorCache(0) } as FastifyInstance['deps'])
  registerErrors(app)
  registerValidation(app)
  mount(app, writeNote, async ({ input: { body } }) => {
    if (body.wish === 'wait') await new Promise<void>((resolve) => (goOn = resolve))
    if (body.wish === 'fail once' && notes.push('a failure') === 1) throw new ApiError('unavailable')
    if (body.wish === 'conflict') {
      throw new ApiError('already-saved', { bookmark_id: notes.push('a conflict') })
    }
    notes.push(body.text)
    return { id: notes.length, at: new Date(0) as unknown as string, text: body.text, secret: 'never sent' }
  })
  mount(app, tearNote, async () => {
    notes.push('torn')
    return undefined as never
  })
  await app.ready()
  alice = await signIn('alice')
  bob = await signIn('bob')
})
afterAll(async () => {
  await app.close()
  await db.end({ timeout: 5 })
  await database.drop()
})
beforeEach(async () => {
  notes = []
  await db`delete from idempotency_keys`
})

async function signIn(username: string): Promise<string> {
  const [row] = await db<[{ user_id: number; session_id: number }]>`
    with person as (
      insert into users (username, email) values (${username}, ${`${username}@example.org`}) returning id
    )
    insert into sessions (user_id, refresh_hash, expires_at)
    select id, sha256('x'), now() + interval '1 day' from person
    returning user_id, id as session_id`
  return signAccessToken(row, tokenOptions(await serverKey(db, 'access-token')))
}

const write = (
  key: string | null,
  payload: object = { text: 'hello' },
  access = alice,
  url = '/api/notes/',
) =>
  app.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${access}`, ...(key === null ? {} : { 'idempotency-key': key }) },
    payload,
  })

describe('sent twice with one key', () => {
  test('a call does its work once and is answered the same, byte for byte', async () => {
    const first = await write('k')
    const second = await write('k')
    expect(notes).toEqual(['hello'])
    expect(first.statusCode).toBe(201)
    expect(first.json()).toEqual({ id: 1, at: '1970-01-01T00:00:00.000Z', text: 'hello' })
    expect([second.statusCode, second.body, second.headers['content-type']]).toEqual([
      first.statusCode,
      first.body,
      first.headers['content-type'],
    ])
    expect(first.headers).not.toHaveProperty('idempotency-replayed')
    expect(second.headers['idempotency-replayed']).toBe('true')
  })

  test('a call whose path was written without its slash is the same call', async () => {
    await write('k')
    expect((await write('k', { text: ' hello ' }, alice, '/api/notes')).statusCode).toBe(201)
    expect(notes).toEqual(['hello'])
  })

  test('a call that answers nothing answers nothing again', async () => {
    const tear = () =>
      app.inject({
        method: 'DELETE',
        url: '/api/notes/',
        headers: { authorization: `Bearer ${alice}`, 'idempotency-key': 'k' },
      })
    expect([(await tear()).statusCode, (await tear()).statusCode, notes]).toEqual([204, 204, ['torn']])
  })

  test('what was refused is decided anew', async () => {
    const first = await write('k', { text: 'x', wish: 'conflict' })
    const second = await write('k', { text: 'x', wish: 'conflict' })
    expect([first.statusCode, second.statusCode]).toEqual([409, 409])
    expect(second.json()).toEqual({
      detail: 'This video is already in that collection.',
      code: 'already-saved',
      bookmark_id: 2,
    })
    expect(second.headers).not.toHaveProperty('idempotency-replayed')
  })

  test('a call that failed is tried again', async () => {
    expect((await write('k', { text: 'x', wish: 'fail once' })).statusCode).toBe(503)
    expect((await write('k', { text: 'x', wish: 'fail once' })).statusCode).toBe(201)
  })

  test('fifty at once do it once; the others are told that it is under way, or the answer', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => write('k')))
    expect(notes).toEqual(['hello'])
    const statuses = new Set(answers.map((answer) => answer.statusCode))
    statuses.delete(409)
    expect([...statuses]).toEqual([201])
  })
})

test('while the first is under way the second is told so, and when to come again', async () => {
  const first = write('k', { text: 'slow', wish: 'wait' })
  await expect.poll(async () => (await db`select from idempotency_keys`).length).toBe(1)
  const second = await write('k', { text: 'slow', wish: 'wait' })
  expect(second.statusCode).toBe(409)
  expect(second.json()).toEqual({
    detail: 'A request with this Idempotency-Key is still in progress.',
    code: 'idempotency-key-in-use',
  })
  expect(second.headers['retry-after']).toBe('1')
  goOn()
  expect((await first).statusCode).toBe(201)
})

test('the same key for a different request is refused', async () => {
  await write('k')
  const other = await write('k', { text: 'something else' })
  expect(other.statusCode).toBe(422)
  expect(notes).toEqual(['hello'])
})

test('two people may use one key, and one person several', async () => {
  for (const [key, who] of [
    ['k', alice],
    ['k', bob],
    ['l', alice],
  ] as const)
    expect((await write(key, { text: 'hello' }, who)).statusCode).toBe(201)
  expect(notes).toHaveLength(3)
})

test('without a key each call does its work', async () => {
  await write(null)
  await write(null)
  expect(notes).toHaveLength(2)
})

test('a key is forgotten after 24 hours', async () => {
  await write('k')
  await db`update idempotency_keys set created_at = now() - interval '24 hours 1 second'`
  await write('k')
  expect(notes).toHaveLength(2)
})

test('a request that died keeps its key for a minute, not for a day, and coming late overwrites nothing', async () => {
  const dead = write('k', { text: 'slow', wish: 'wait' })
  await expect.poll(async () => (await db`select from idempotency_keys`).length).toBe(1)
  await db`update idempotency_keys set created_at = now() - interval '61 seconds'`
  const finishDead = goOn
  expect((await write('k', { text: 'quick' })).json()).toMatchObject({ id: 1, text: 'quick' })
  finishDead()
  await dead
  expect((await write('k', { text: 'quick' })).json()).toMatchObject({ id: 1, text: 'quick' })
})

test.each(['', 'x'.repeat(201)])('%j is no key', async (key) => {
  expect((await write(key)).statusCode).toBe(400)
})

test('a key of any characters is a key', async () => {
  const odd = `'; drop table users; --"\\ %00 \u00ff`
  await write(odd)
  expect((await write(odd)).headers['idempotency-replayed']).toBe('true')
})
