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
/** Calls of the handlers, also of those that failed. */
let handled = 0
/** Lets a handler that waits go on; null while none waits. */
let goOn: (() => void) | null = null

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
    handled += 1
    const [note] = await tx<[{ id: number; text: string }]>`
      insert into notes (text) values (${body.text}) returning id, text`
    if (body.wish === 'wait') await new Promise<void>((resolve) => (goOn = resolve))
    if (body.wish === 'fail once' && handled === 1) throw new ApiError('unavailable')
    if (body.wish === 'conflict') throw new ApiError('already-saved', { bookmark_id: handled })
    return { ...note, at: new Date(0) as unknown as string, secret: 'never sent' }
  })
  mount(app, deleteNotes, async ({ tx }) => {
    handled += 1
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
  handled = 0
  goOn = null
  await db`truncate notes restart identity`
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
  return signAccessToken(row, tokenOptions(serverKeys['access-token']))
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

const notes = async () =>
  (await db<{ text: string }[]>`select text from notes order by id`).map(({ text }) => text)

describe('a call that is sent twice with one key', () => {
  test('does its work once and gets the same reply, byte for byte', async () => {
    const first = await write('k')
    const second = await write('k')
    expect(await notes()).toEqual(['hello'])
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

  test('is the same call if its path is written without the final slash', async () => {
    await write('k')
    expect((await write('k', { text: ' hello ' }, alice, '/api/notes')).statusCode).toBe(201)
    expect(await notes()).toEqual(['hello'])
  })

  test('gets an empty reply again if the first one was empty', async () => {
    const remove = () =>
      app.inject({
        method: 'DELETE',
        url: '/api/notes/',
        headers: { authorization: `Bearer ${alice}`, 'idempotency-key': 'k' },
      })
    expect([(await remove()).statusCode, (await remove()).statusCode, handled]).toEqual([204, 204, 1])
  })

  test('runs again if the first one was refused, which left nothing behind', async () => {
    const first = await write('k', { text: 'x', wish: 'conflict' })
    const second = await write('k', { text: 'x', wish: 'conflict' })
    expect([first.statusCode, second.statusCode]).toEqual([409, 409])
    expect(second.json()).toEqual({
      detail: 'You already saved this video here.',
      code: 'already-saved',
      bookmark_id: 2,
    })
    expect(second.headers).not.toHaveProperty('idempotency-replayed')
    expect(await notes()).toEqual([])
  })

  test('runs again if the first one failed', async () => {
    expect((await write('k', { text: 'x', wish: 'fail once' })).statusCode).toBe(503)
    expect((await write('k', { text: 'x', wish: 'fail once' })).statusCode).toBe(201)
    expect(await notes()).toEqual(['x'])
  })

  test('gets 409 with Retry-After while the first one runs', async () => {
    const first = write('k', { text: 'slow', wish: 'wait' })
    await expect.poll(() => goOn).not.toBeNull()
    const second = await write('k', { text: 'slow', wish: 'wait' })
    expect(second.statusCode).toBe(409)
    expect(second.json()).toEqual({
      detail: 'A request with this Idempotency-Key is still in progress.',
      code: 'idempotency-key-in-use',
    })
    expect(second.headers['retry-after']).toBe('1')
    goOn?.()
    expect((await first).statusCode).toBe(201)
    expect((await write('k', { text: 'slow', wish: 'wait' })).headers['idempotency-replayed']).toBe('true')
    expect(await notes()).toEqual(['slow'])
  })
})

test('of fifty duplicates at once one does the work; the others get 409 or its reply', async () => {
  const replies = await Promise.all(Array.from({ length: 50 }, () => write('k')))
  expect(await notes()).toEqual(['hello'])
  expect(handled).toBe(1)
  const statuses = new Set(replies.map(({ statusCode }) => statusCode))
  statuses.delete(409)
  expect([...statuses]).toEqual([201])
})

test('a different request with a used key gets 422', async () => {
  await write('k')
  const other = await write('k', { text: 'something else' })
  expect(other.statusCode).toBe(422)
  expect(await notes()).toEqual(['hello'])
})

test('two users can use the same key, and one user several', async () => {
  for (const [key, who] of [
    ['k', alice],
    ['k', bob],
    ['l', alice],
  ] as const)
    expect((await write(key, { text: 'hello' }, who)).statusCode).toBe(201)
  expect(await notes()).toHaveLength(3)
})

test('without a key each call does its work, in one transaction', async () => {
  await write(null)
  await write(null)
  expect((await write(null, { text: 'x', wish: 'conflict' })).statusCode).toBe(409)
  expect(await notes()).toEqual(['hello', 'hello'])
})

test('a key can be used anew after 24 hours', async () => {
  await write('k')
  await db`update idempotency_keys set created_at = now() - interval '24 hours 1 second'`
  const anew = await write('k', { text: 'something else' })
  expect([anew.statusCode, anew.headers['idempotency-replayed']]).toEqual([201, undefined])
  expect((await write('k', { text: 'something else' })).headers['idempotency-replayed']).toBe('true')
  expect(await notes()).toEqual(['hello', 'something else'])
})

test.each(['', 'x'.repeat(201)])('%j is refused as a key', async (key) => {
  expect((await write(key)).statusCode).toBe(400)
})

test('a key may contain any characters', async () => {
  const odd = `'; drop table users; --"\\ %00 \u00ff`
  await write(odd)
  expect((await write(odd)).headers['idempotency-replayed']).toBe('true')
})
