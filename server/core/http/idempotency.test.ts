import { endpoint } from '@reelmark/contract/protocol/endpoint.ts'
import Fastify, { type FastifyInstance } from 'fastify'
import * as t from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, slowTimeouts, type TestDatabase } from '../../testing/test-database.ts'
import { loadServerKeys, type ServerKeys } from '../auth/server-keys.ts'
import { signAccessToken, tokenOptions } from '../auth/tokens.ts'
import { connect, type Sql } from '../database/database.ts'
import { mount } from './endpoints.ts'
import { ApiError, registerErrors } from './errors.ts'
import { registerValidation } from './validation.ts'
import { createVisitorCache } from './visitor-cache.ts'

const Note = t.Object(
  { text: t.String(), behaviour: t.Optional(t.String()) },
  { additionalProperties: false },
)
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
const deleteNotes = endpoint({
  method: 'DELETE',
  path: '/notes/',
  summary: 'Delete all notes',
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
let serverKeys: ServerKeys
let alice: string
let bob: string
/** Number of handler calls, including failed ones. */
let handlerCalls = 0
/** Resumes a handler that waits; null if none does. */
let resumeHandler: (() => void) | null = null

beforeAll(async () => {
  database = await createTestDatabase()
  db = connect(database.url, slowTimeouts)
  await db`create table notes (id integer generated always as identity, text text)`
  app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  const settings = { rateLimitScale: 0 }
  serverKeys = await loadServerKeys(db)
  const visitorCache = createVisitorCache(0)
  app.decorate('deps', { db, serverKeys, settings, visitorCache } as FastifyInstance['deps'])
  registerErrors(app)
  registerValidation(app)
  mount(app, writeNote, async ({ input: { body }, tx }) => {
    handlerCalls += 1
    const [note] = await tx<[{ id: number; text: string }]>`
      insert into notes (text) values (${body.text}) returning id, text`
    if (body.behaviour === 'wait') await new Promise<void>((resolve) => (resumeHandler = resolve))
    if (body.behaviour === 'fail once' && handlerCalls === 1) throw new ApiError('unavailable')
    if (body.behaviour === 'conflict') throw new ApiError('already-saved', { bookmark_id: handlerCalls })
    return { ...note, at: new Date(0) as unknown as string, secret: 'never sent' }
  })
  mount(app, deleteNotes, async ({ tx }) => {
    handlerCalls += 1
    await tx`delete from notes`
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
  handlerCalls = 0
  resumeHandler = null
  await db`truncate notes restart identity`
  await db`delete from idempotency_keys`
})

async function signIn(username: string): Promise<string> {
  const [row] = await db<[{ user_id: number; session_id: number }]>`
    with new_user as (
      insert into users (username, email) values (${username}, ${`${username}@example.org`}) returning id
    )
    insert into sessions (user_id, refresh_hash, expires_at)
    select id, sha256('x'), now() + interval '1 day' from new_user
    returning user_id, id as session_id`
  return signAccessToken(row, tokenOptions(serverKeys['access-token']))
}

const writeNoteWithKey = (
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

const readNotes = async () =>
  (await db<{ text: string }[]>`select text from notes order by id`).map(({ text }) => text)

describe('a call repeated with the same key', () => {
  test('is executed once, and both responses are identical byte for byte', async () => {
    const first = await writeNoteWithKey('k')
    const second = await writeNoteWithKey('k')
    expect(await readNotes()).toEqual(['hello'])
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

  test('counts as the same call if its path lacks the final slash', async () => {
    await writeNoteWithKey('k')
    expect((await writeNoteWithKey('k', { text: ' hello ' }, alice, '/api/notes')).statusCode).toBe(201)
    expect(await readNotes()).toEqual(['hello'])
  })

  test('returns an empty response again', async () => {
    const remove = () =>
      app.inject({
        method: 'DELETE',
        url: '/api/notes/',
        headers: { authorization: `Bearer ${alice}`, 'idempotency-key': 'k' },
      })
    expect([(await remove()).statusCode, (await remove()).statusCode, handlerCalls]).toEqual([204, 204, 1])
  })

  test('is executed again if the first one was refused; the first one had no effect', async () => {
    const first = await writeNoteWithKey('k', { text: 'x', behaviour: 'conflict' })
    const second = await writeNoteWithKey('k', { text: 'x', behaviour: 'conflict' })
    expect([first.statusCode, second.statusCode]).toEqual([409, 409])
    expect(second.json()).toEqual({
      detail: 'You already saved this video here.',
      code: 'already-saved',
      bookmark_id: 2,
    })
    expect(second.headers).not.toHaveProperty('idempotency-replayed')
    expect(await readNotes()).toEqual([])
  })

  test('is executed again if the first one failed', async () => {
    expect((await writeNoteWithKey('k', { text: 'x', behaviour: 'fail once' })).statusCode).toBe(503)
    expect((await writeNoteWithKey('k', { text: 'x', behaviour: 'fail once' })).statusCode).toBe(201)
    expect(await readNotes()).toEqual(['x'])
  })

  test('gets 409 with Retry-After while the first one is running', async () => {
    const first = writeNoteWithKey('k', { text: 'slow', behaviour: 'wait' })
    await expect.poll(() => resumeHandler).not.toBeNull()
    const second = await writeNoteWithKey('k', { text: 'slow', behaviour: 'wait' })
    expect(second.statusCode).toBe(409)
    expect(second.json()).toEqual({
      detail: 'A request with this Idempotency-Key is still in progress.',
      code: 'idempotency-key-in-use',
    })
    expect(second.headers['retry-after']).toBe('1')
    resumeHandler?.()
    expect((await first).statusCode).toBe(201)
    expect(
      (await writeNoteWithKey('k', { text: 'slow', behaviour: 'wait' })).headers['idempotency-replayed'],
    ).toBe('true')
    expect(await readNotes()).toEqual(['slow'])
  })
})

test('of fifty concurrent calls with one key one is executed; the others get 409 or its response', async () => {
  const replies = await Promise.all(Array.from({ length: 50 }, () => writeNoteWithKey('k')))
  expect(await readNotes()).toEqual(['hello'])
  expect(handlerCalls).toBe(1)
  const statuses = new Set(replies.map(({ statusCode }) => statusCode))
  statuses.delete(409)
  expect([...statuses]).toEqual([201])
})

test('a different request with the same key gets 422', async () => {
  await writeNoteWithKey('k')
  const other = await writeNoteWithKey('k', { text: 'something else' })
  expect(other.statusCode).toBe(422)
  expect(await readNotes()).toEqual(['hello'])
})

test('two users can use the same key, and one user can use several keys', async () => {
  for (const [key, access] of [
    ['k', alice],
    ['k', bob],
    ['l', alice],
  ] as const)
    expect((await writeNoteWithKey(key, { text: 'hello' }, access)).statusCode).toBe(201)
  expect(await readNotes()).toHaveLength(3)
})

test('without a key each call is executed, in one transaction', async () => {
  await writeNoteWithKey(null)
  await writeNoteWithKey(null)
  expect((await writeNoteWithKey(null, { text: 'x', behaviour: 'conflict' })).statusCode).toBe(409)
  expect(await readNotes()).toEqual(['hello', 'hello'])
})

test('a key can be used again for another request after 24 hours', async () => {
  await writeNoteWithKey('k')
  await db`update idempotency_keys set created_at = now() - interval '24 hours 1 second'`
  const reused = await writeNoteWithKey('k', { text: 'something else' })
  expect([reused.statusCode, reused.headers['idempotency-replayed']]).toEqual([201, undefined])
  expect((await writeNoteWithKey('k', { text: 'something else' })).headers['idempotency-replayed']).toBe(
    'true',
  )
  expect(await readNotes()).toEqual(['hello', 'something else'])
})

test.each(['', 'x'.repeat(201)])('the key %j is refused', async (key) => {
  expect((await writeNoteWithKey(key)).statusCode).toBe(400)
})

test('a key may contain any characters', async () => {
  const specialKey = `'; drop table users; --"\\ %00 \u00ff`
  await writeNoteWithKey(specialKey)
  expect((await writeNoteWithKey(specialKey)).headers['idempotency-replayed']).toBe('true')
})
