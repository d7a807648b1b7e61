/**
 * Every call that accepts an `Idempotency-Key`, sent twice. The calls are read from the contract: a new one needs a
 * case here, and a creating call without a key needs a reason.
 */
import { endpointUrl } from '@reelmark/contract/protocol/call.ts'
import type { Endpoint } from '@reelmark/contract/protocol/endpoint.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCallers } from './testing/callers.ts'
import { loadEndpoints } from './testing/contract-endpoints.ts'
import { bootApp, type TestApp } from './testing/test-app.ts'
import { createDestination, saveFilm, vaultDestination } from './testing/test-bookmarks.ts'
import type { TestUser } from './testing/test-users.ts'

interface Parts {
  params?: Record<string, unknown>
  body?: Record<string, unknown>
}

interface Case {
  /** Returns a valid request with an effect, a different one each time. */
  send(user: TestUser): Promise<Parts>
  /** Returns the same request, changed so that its handler fails. */
  fail(parts: Parts): Parts
  /** Returns the same request for something else. */
  other(parts: Parts): Parts | Promise<Parts>
  /** The status of the same request with another key, if it differs because the content already exists. */
  statusWithNewKey?: number
}

let site: TestApp
let callers: ReturnType<typeof createCallers>
let filmCount = 0
/** Returns a name that no other film has. */
const newFilm = () => {
  filmCount += 1
  return `twice${filmCount}`
}
beforeAll(async () => {
  site = await bootApp()
  callers = createCallers(site)
  await site.db`
    create function break_connection() returns trigger language plpgsql as $$
    begin
      perform pg_terminate_backend(pg_backend_pid());
      return new;
    end $$`
})
afterAll(() => site.close())

const unknownId = { id: 4_000_000_000 }
/** Saves a film for another user. */
async function saveForOther() {
  const film = newFilm()
  return saveFilm(site, await callers.createUser(), film)
}
const withUnknownId = (parts: Parts): Parts => ({ ...parts, params: unknownId })
const withOtherContent = (parts: Parts): Parts => ({ ...parts, body: { ...parts.body, content: 'Else' } })
const withOtherName = (parts: Parts): Parts => ({ ...parts, body: { ...parts.body, name: 'Another name' } })

const saveCase: Case = {
  send: async (user) => {
    const film = newFilm()
    return {
      body: {
        video: { source_url: `https://films.example.org/watch/${film}`, title: 'A film' },
        bookmark: { channel_id: (await vaultDestination(site, user)).channel_id },
      },
    }
  },
  fail: ({ body }) => ({ body: { ...body, bookmark: { channel_id: unknownId.id } } }),
  other: ({ body }) => ({
    body: { ...body, video: { source_url: 'https://films.example.org/watch/other', title: 'x' } },
  }),
  statusWithNewKey: 409,
}
const collectAllCase = (destination: 'collection_id' | 'channel_id'): Case => ({
  send: async (user) => {
    const owner = await callers.createUser()
    const source = await createDestination(site, owner)
    await saveFilm(site, owner, newFilm(), { bookmark: source })
    return {
      params: { id: source[destination] },
      body: { collection: (await createDestination(site, user)).collection_id },
    }
  },
  fail: withUnknownId,
  other: (parts) => ({ ...parts, body: { ...parts.body, collection: unknownId.id } }),
})

const cases: Record<string, Case> = {
  saveBookmark: saveCase,
  saveBookmarkManually: saveCase,
  collectBookmark: {
    send: async (user) => ({
      body: {
        bookmark: (await saveForOther()).id,
        collection: (await createDestination(site, user)).collection_id,
      },
    }),
    fail: ({ body }) => ({ body: { ...body, collection: unknownId.id } }),
    other: async ({ body }) => ({ body: { ...body, bookmark: (await saveForOther()).id } }),
    statusWithNewKey: 409,
  },
  collectCollection: collectAllCase('collection_id'),
  collectChannel: collectAllCase('channel_id'),
  toggleWatchLater: {
    send: async () => ({ params: { id: (await saveForOther()).video.id } }),
    fail: withUnknownId,
    other: async () => ({ params: { id: (await saveForOther()).video.id } }),
  },
  changeTags: {
    send: async (user) => {
      const tag = newFilm()
      await saveFilm(site, user, tag, { video: { tags: [tag] } })
      return { body: { tags: [tag], replacement: 'another' } }
    },
    fail: ({ body }) => ({ body: { ...body, tags: ['unknown'] } }),
    other: ({ body }) => ({ body: { ...body, replacement: 'a third' } }),
    statusWithNewKey: 400,
  },
  createSmartCollection: {
    send: async () => ({ body: { name: 'Sea', query: { scope: 'own', q: 'sea' } } }),
    fail: ({ body }) => ({ body: { ...body, access: 'public', query: { scope: 'own', watched: true } } }),
    other: withOtherName,
  },
  createCollection: {
    send: async () => ({ body: { name: 'Films' } }),
    // The limit is tested below: no valid body of this call is refused by its handler.
    fail: () => ({ body: { name: '' } }),
    other: withOtherName,
  },
  createChannel: {
    send: async (user) => ({
      params: { id: (await createDestination(site, user)).collection_id },
      body: { name: 'Short ones' },
    }),
    fail: withUnknownId,
    other: withOtherName,
  },
  createComment: {
    send: async () => ({ params: { id: (await saveForOther()).video.id }, body: { content: 'Hello' } }),
    fail: withUnknownId,
    other: withOtherContent,
  },
  createReply: {
    send: async () => {
      const { video } = await saveForOther()
      const [comment] = await site.db<[{ id: number }]>`
        insert into comments (video_id, user_id, content)
        select ${video.id}, user_id, 'First' from bookmarks where video_id = ${video.id} returning id`
      return { params: comment, body: { content: 'Hello' } }
    },
    fail: withUnknownId,
    other: withOtherContent,
  },
  createNote: {
    send: async () => ({
      params: { id: (await saveForOther()).id },
      body: { seconds: 5, text: 'Here', access: 'private' },
    }),
    fail: withUnknownId,
    other: (parts) => ({ ...parts, body: { ...parts.body, text: 'There' } }),
  },
  createReport: {
    send: async () => ({ body: { video_id: (await saveForOther()).video.id, report_type: 'spam' } }),
    fail: ({ body }) => ({ body: { ...body, video_id: unknownId.id } }),
    other: ({ body }) => ({ body: { ...body, report_type: 'copyright' } }),
    statusWithNewKey: 409,
  },
  createAppeal: {
    send: async ({ id }) => {
      const [warning] = await site.db<[{ id: number }]>`
        insert into moderation_decisions (action, target_kind, target_id, user_id) values ('warn', 'user', ${id}, ${id})
        returning id`
      return { params: warning, body: { text: 'I did not' } }
    },
    fail: withUnknownId,
    other: (parts) => ({ ...parts, body: { text: 'I did' } }),
    statusWithNewKey: 409,
  },
}

/** Creating calls of signed-in users without a key, with the reason. */
const reasonsWithoutKey: Record<string, string> = {
  createAccessToken: 'returns a secret that is not stored',
  createConnectionCode: 'returns a secret that is not stored, and that is valid for a minute',
  beginAuthenticator: 'returns a secret that is not stored in plain text; a second call replaces the first',
  renewRecoveryCodes: 'returns secrets that are not stored; a second call replaces the first',
  addPasskey: 'its ticket can be used once',
  addIdentity: 'its state can be used once',
  createCollectionLink: 'returns a secret that is not stored in plain text; a second call replaces the first',
  createMute: 'is idempotent',
  proposeLink: 'a user has one open proposal per video',
  createWebhook: 'returns a secret that is not stored in plain text',
  testWebhook: 'a second call is a second test',
  createContentRule: 'a second call returns the existing rule',
  startExport: 'a user has one running export at a time',
  createSubscription: 'a second call changes the existing subscription',
  importFromUrl: 'a user has one import in review or running at a time',
  uploadImport: 'a user has one import in review or running at a time',
  startUpload: 'a second call returns the same upload',
  importUpload: 'a user has one import in review or running at a time',
}

const contract = await loadEndpoints()
const callsWithKey = contract.filter(([, { idempotent }]) => idempotent)

test('every creating call accepts a key or has a reason', () => {
  expect(callsWithKey.map(([name]) => name).sort()).toEqual(Object.keys(cases).sort())
  const callsWithoutKey = contract.filter(
    ([, { method, status, auth: access, idempotent }]) =>
      method === 'POST' && status === 201 && access !== 'anyone' && !idempotent,
  )
  expect(callsWithoutKey.map(([name]) => name).sort()).toEqual(Object.keys(reasonsWithoutKey).sort())
})

/** Returns the number of rows in all tables that the calls insert into. */
async function countRows(): Promise<number> {
  const [{ count }] = await site.db<[{ count: number }]>`
    select (select count(*) from videos) + (select count(*) from bookmarks) + (select count(*) from comments)
         + (select count(*) from collections) + (select count(*) from channels)
         + (select count(*) from reports) + (select count(*) from appeals) + (select count(*) from tag_changes) + (select count(*) from smart_collections) + (select count(*) from timed_notes) + (select count(*) from notification_actors) + (select count(*) from bookmarks where deleted_at is not null)
           as count`
  return count
}

describe.each(callsWithKey)('%s', (name, endpoint: Endpoint) => {
  const testCase = cases[name] as Case

  const send = (user: TestUser, key: string, { params, body }: Parts) =>
    site.app.inject({
      method: 'POST',
      url: endpointUrl(endpoint, params),
      headers: { authorization: `Bearer ${user.access}`, 'idempotency-key': key },
      ...(body && { payload: body }),
    })
  const isReplay = ({ headers }: Awaited<ReturnType<typeof send>>) =>
    headers['idempotency-replayed'] === 'true'

  test('has one effect and identical responses with one key', async () => {
    const user = await callers.createUser()
    const parts = await testCase.send(user)
    const before = await countRows()
    const first = await send(user, 'k', parts)
    const after = await countRows()
    expect([first.statusCode, isReplay(first)]).toEqual([endpoint.status, false])
    expect(after).toBeGreaterThan(before)
    const second = await send(user, 'k', parts)
    expect([second.statusCode, second.body, isReplay(second)]).toEqual([first.statusCode, first.body, true])
    expect(await countRows()).toBe(after)
  })

  test('of two users with the same key are independent', async () => {
    const [alice, bob] = [await callers.createUser(), await callers.createUser()]
    await send(alice, 'k', await testCase.send(alice))
    const ofBob = await testCase.send(bob)
    const before = await countRows()
    const reply = await send(bob, 'k', ofBob)
    expect([reply.statusCode, isReplay(reply)]).toEqual([endpoint.status, false])
    expect(await countRows()).toBeGreaterThan(before)
  })

  test('for something else is refused with a used key and has no effect', async () => {
    const user = await callers.createUser()
    const parts = await testCase.send(user)
    await send(user, 'k', parts)
    const other = await testCase.other(parts)
    const before = await countRows()
    const reply = await send(user, 'k', other)
    expect([reply.statusCode, reply.json().detail]).toEqual([
      422,
      'This Idempotency-Key was used for a different request.',
    ])
    expect(await countRows()).toBe(before)
  })

  test('has one effect if it is sent twenty times concurrently', async () => {
    const user = await callers.createUser()
    const parts = await testCase.send(user)
    const before = await countRows()
    const replies = await Promise.all(Array.from({ length: 20 }, () => send(user, 'k', parts)))
    const done = replies.filter(({ statusCode }) => statusCode === endpoint.status)
    const refused = replies.filter(({ statusCode }) => statusCode !== endpoint.status)
    expect(done.filter((reply) => !isReplay(reply))).toHaveLength(1)
    expect(new Set(done.map(({ body }) => body)).size).toBe(1)
    for (const reply of refused) {
      expect([reply.statusCode, reply.json().detail, reply.headers['retry-after']]).toEqual([
        409,
        'A request with this Idempotency-Key is still in progress.',
        '1',
      ])
    }
    const after = await countRows()
    expect(after).toBeGreaterThan(before)
    expect(isReplay(await send(user, 'k', parts))).toBe(true)
    expect(await countRows()).toBe(after)
  })

  test('can use its key again if it failed', async () => {
    const user = await callers.createUser()
    const parts = await testCase.send(user)
    const before = await countRows()
    const failed = await send(user, 'k', testCase.fail(parts))
    expect([400, 404]).toContain(failed.statusCode)
    expect(await countRows()).toBe(before)
    const reply = await send(user, 'k', parts)
    expect([reply.statusCode, isReplay(reply)]).toEqual([endpoint.status, false])
  })

  test('has no effect if the connection breaks before the commit, and one effect when repeated', async () => {
    const user = await callers.createUser()
    const parts = await testCase.send(user)
    const before = await countRows()
    await site.db`
      create trigger break_connection before insert on idempotency_keys
        for each row execute function break_connection()`
    const broken = await send(user, 'k', parts)
    await site.db`drop trigger break_connection on idempotency_keys`
    expect(broken.statusCode).toBe(503)
    expect(site.log.filter(({ level }) => level >= 50).map(({ msg }) => msg)).toEqual([
      'the database is unavailable',
    ])
    site.log.length = 0
    expect(await countRows()).toBe(before)
    const retry = await send(user, 'k', parts)
    expect([retry.statusCode, isReplay(retry)]).toEqual([endpoint.status, false])
    const after = await countRows()
    expect(after).toBeGreaterThan(before)
    expect(isReplay(await send(user, 'k', parts))).toBe(true)
    expect(await countRows()).toBe(after)
  })

  test('succeeds for more concurrent users than the server has connections', { tags: 'heavy' }, async () => {
    const calls = await Promise.all(
      Array.from({ length: 25 }, async () => {
        const user = await callers.createUser()
        return { user, parts: await testCase.send(user) }
      }),
    )
    const replies = await Promise.all(calls.map(({ user, parts }) => send(user, 'k', parts)))
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(calls.map(() => endpoint.status))
  })

  test('has an effect again with the same key after a day', async () => {
    const user = await callers.createUser()
    const parts = await testCase.send(user)
    await send(user, 'k', parts)
    await site.db`
      update idempotency_keys set created_at = now() - interval '24 hours 1 second' where user_id = ${user.id}`
    const reply = await send(user, 'k', parts)
    expect([reply.statusCode, isReplay(reply)]).toEqual([testCase.statusWithNewKey ?? endpoint.status, false])
  })
})

test('a user at the limit can repeat the call with the same key after deleting something', async () => {
  const user = await callers.createUser()
  await site.db`insert into collections (user_id, name) select ${user.id}, 'c' from generate_series(1, 1000)`
  const send = () =>
    site.app.inject({
      method: 'POST',
      url: '/api/collections/',
      headers: { authorization: `Bearer ${user.access}`, 'idempotency-key': 'k' },
      payload: { name: 'One more' },
    })
  expect((await send()).statusCode).toBe(409)
  await site.db`delete from collections where user_id = ${user.id} and name = 'c'`
  expect((await send()).statusCode).toBe(201)
})
