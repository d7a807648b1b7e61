/**
 * Every call that takes an `Idempotency-Key`, sent twice. What takes one is read from the contract: a call that is added
 * needs a row here, and a creating call that takes none needs a reason.
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
  /** A request that does something, whoever sends it; each of its own. */
  send(who: TestUser): Promise<Parts>
  /** The same made to fail in its handler. */
  fail(parts: Parts): Parts
  /** The same for something else. */
  other(parts: Parts): Parts | Promise<Parts>
  /** What the same request answers under another key: of what is there already, that it is. */
  again?: number
}

let site: TestApp
let callers: ReturnType<typeof createCallers>
let films = 0
/** A name that no other film has. */
const newFilm = () => {
  films += 1
  return `twice${films}`
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

const nowhere = { id: 4_000_000_000 }
/** Somebody's who stays away. */
async function kept() {
  const film = newFilm()
  return saveFilm(site, await callers.person(), film)
}
const elsewhere = (parts: Parts): Parts => ({ ...parts, params: nowhere })
const newWords = (parts: Parts): Parts => ({ ...parts, body: { ...parts.body, content: 'Else' } })
const newName = (parts: Parts): Parts => ({ ...parts, body: { ...parts.body, name: 'Another name' } })

const saving: Case = {
  send: async (who) => {
    const film = newFilm()
    return {
      body: {
        video: { source_url: `https://films.example.org/watch/${film}`, title: 'A film' },
        bookmark: { channel_id: (await vaultDestination(site, who)).channel_id },
      },
    }
  },
  fail: ({ body }) => ({ body: { ...body, bookmark: { channel_id: nowhere.id } } }),
  other: ({ body }) => ({
    body: { ...body, video: { source_url: 'https://films.example.org/watch/other', title: 'x' } },
  }),
  again: 409,
}
const collectingAll = (destination: 'collection_id' | 'channel_id'): Case => ({
  send: async (who) => {
    const owner = await callers.person()
    const from = await createDestination(site, owner)
    await saveFilm(site, owner, newFilm(), { bookmark: from })
    return {
      params: { id: from[destination] },
      body: { collection: (await createDestination(site, who)).collection_id },
    }
  },
  fail: elsewhere,
  other: (parts) => ({ ...parts, body: { ...parts.body, collection: nowhere.id } }),
})

const cases: Record<string, Case> = {
  saveBookmark: saving,
  saveBookmarkManually: saving,
  collectBookmark: {
    send: async (who) => ({
      body: { bookmark: (await kept()).id, collection: (await createDestination(site, who)).collection_id },
    }),
    fail: ({ body }) => ({ body: { ...body, collection: nowhere.id } }),
    other: async ({ body }) => ({ body: { ...body, bookmark: (await kept()).id } }),
    again: 409,
  },
  collectCollection: collectingAll('collection_id'),
  collectChannel: collectingAll('channel_id'),
  toggleWatchLater: {
    send: async () => ({ params: { id: (await kept()).video.id } }),
    fail: elsewhere,
    other: async () => ({ params: { id: (await kept()).video.id } }),
  },
  createCollection: {
    send: async () => ({ body: { name: 'Films' } }),
    // As many as there can be are checked apart: no body of this call is refused by its handler.
    fail: () => ({ body: { name: '' } }),
    other: newName,
  },
  createChannel: {
    send: async (who) => ({
      params: { id: (await createDestination(site, who)).collection_id },
      body: { name: 'Short ones' },
    }),
    fail: elsewhere,
    other: newName,
  },
  createComment: {
    send: async () => ({ params: { id: (await kept()).video.id }, body: { content: 'Hello' } }),
    fail: elsewhere,
    other: newWords,
  },
  createReply: {
    send: async () => {
      const { video } = await kept()
      const [comment] = await site.db<[{ id: number }]>`
        insert into comments (video_id, user_id, content)
        select ${video.id}, user_id, 'First' from bookmarks where video_id = ${video.id} returning id`
      return { params: comment, body: { content: 'Hello' } }
    },
    fail: elsewhere,
    other: newWords,
  },
  createReport: {
    send: async () => ({ body: { video_id: (await kept()).video.id, report_type: 'spam' } }),
    fail: ({ body }) => ({ body: { ...body, video_id: nowhere.id } }),
    other: ({ body }) => ({ body: { ...body, report_type: 'copyright' } }),
    again: 409,
  },
  createAppeal: {
    send: async ({ id }) => {
      const [warning] = await site.db<[{ id: number }]>`
        insert into moderation_decisions (action, target_kind, target_id, user_id) values ('warn', 'user', ${id}, ${id})
        returning id`
      return { params: warning, body: { text: 'I did not' } }
    },
    fail: elsewhere,
    other: (parts) => ({ ...parts, body: { text: 'I did' } }),
    again: 409,
  },
}

/** Creating calls of somebody signed in that take no key, and why. */
const without: Record<string, string> = {
  createAccessToken: 'answers a secret that is kept nowhere',
  beginAuthenticator: 'answers a secret that is kept nowhere else; again, it takes the place of the first',
  renewRecoveryCodes: 'answers secrets that are kept nowhere; again, they take the place of the first',
  addPasskey: 'its ticket is good for once',
  addIdentity: 'its state is good for once',
  createMute: 'again is as once',
  createContentRule: 'again is told which rule is there',
  startExport: 'of one person one is under way at a time',
  startImport: 'of one person one is under way at a time, and what is there already is brought in once',
}

const contract = await loadEndpoints()
const takeOne = contract.filter(([, { idempotent }]) => idempotent)

test('every creating call takes a key, or has a reason', () => {
  expect(takeOne.map(([name]) => name).sort()).toEqual(Object.keys(cases).sort())
  const takeNone = contract.filter(
    ([, { method, status, auth: access, idempotent }]) =>
      method === 'POST' && status === 201 && access !== 'anyone' && !idempotent,
  )
  expect(takeNone.map(([name]) => name).sort()).toEqual(Object.keys(without).sort())
})

/** How many rows there are, of everything that somebody makes. */
async function rows(): Promise<number> {
  const [{ count }] = await site.db<[{ count: number }]>`
    select (select count(*) from videos) + (select count(*) from bookmarks) + (select count(*) from comments)
         + (select count(*) from collections) + (select count(*) from channels)
         + (select count(*) from reports) + (select count(*) from appeals) + (select count(*) from notification_actors) + (select count(*) from bookmarks where deleted_at is not null)
           as count`
  return count
}

describe.each(takeOne)('%s', (name, endpoint: Endpoint) => {
  const each = cases[name] as Case

  const send = (who: TestUser, key: string, { params, body }: Parts) =>
    site.app.inject({
      method: 'POST',
      url: endpointUrl(endpoint, params),
      headers: { authorization: `Bearer ${who.access}`, 'idempotency-key': key },
      ...(body && { payload: body }),
    })
  const isReplay = ({ headers }: Awaited<ReturnType<typeof send>>) =>
    headers['idempotency-replayed'] === 'true'

  test('with one key does its work once and answers the same', async () => {
    const who = await callers.person()
    const parts = await each.send(who)
    const before = await rows()
    const first = await send(who, 'k', parts)
    const after = await rows()
    expect([first.statusCode, isReplay(first)]).toEqual([endpoint.status, false])
    expect(after).toBeGreaterThan(before)
    const second = await send(who, 'k', parts)
    expect([second.statusCode, second.body, isReplay(second)]).toEqual([first.statusCode, first.body, true])
    expect(await rows()).toBe(after)
  })

  test('is somebody else’s own under the same key', async () => {
    const [one, another] = [await callers.person(), await callers.person()]
    await send(one, 'k', await each.send(one))
    const theirs = await each.send(another)
    const before = await rows()
    const reply = await send(another, 'k', theirs)
    expect([reply.statusCode, isReplay(reply)]).toEqual([endpoint.status, false])
    expect(await rows()).toBeGreaterThan(before)
  })

  test('for something else under a key that was used is refused, and does nothing', async () => {
    const who = await callers.person()
    const parts = await each.send(who)
    await send(who, 'k', parts)
    const other = await each.other(parts)
    const before = await rows()
    const reply = await send(who, 'k', other)
    expect([reply.statusCode, reply.json().detail]).toEqual([
      422,
      'This Idempotency-Key was used for a different request.',
    ])
    expect(await rows()).toBe(before)
  })

  test('twenty times at once does its work once', async () => {
    const who = await callers.person()
    const parts = await each.send(who)
    const before = await rows()
    const replies = await Promise.all(Array.from({ length: 20 }, () => send(who, 'k', parts)))
    const done = replies.filter(({ statusCode }) => statusCode === endpoint.status)
    const waiting = replies.filter(({ statusCode }) => statusCode !== endpoint.status)
    expect(done.filter((reply) => !isReplay(reply))).toHaveLength(1)
    expect(new Set(done.map(({ body }) => body)).size).toBe(1)
    for (const reply of waiting) {
      expect([reply.statusCode, reply.json().detail, reply.headers['retry-after']]).toEqual([
        409,
        'A request with this Idempotency-Key is still in progress.',
        '1',
      ])
    }
    const after = await rows()
    expect(after).toBeGreaterThan(before)
    expect(isReplay(await send(who, 'k', parts))).toBe(true)
    expect(await rows()).toBe(after)
  })

  test('that failed leaves its key free', async () => {
    const who = await callers.person()
    const parts = await each.send(who)
    const before = await rows()
    const failed = await send(who, 'k', each.fail(parts))
    expect([400, 404]).toContain(failed.statusCode)
    expect(await rows()).toBe(before)
    const reply = await send(who, 'k', parts)
    expect([reply.statusCode, isReplay(reply)]).toEqual([endpoint.status, false])
  })

  test('whose connection breaks before the commit does nothing, and its retry does it once', async () => {
    const who = await callers.person()
    const parts = await each.send(who)
    const before = await rows()
    await site.db`
      create trigger break_connection before insert on idempotency_keys
        for each row execute function break_connection()`
    const broken = await send(who, 'k', parts)
    await site.db`drop trigger break_connection on idempotency_keys`
    expect(broken.statusCode).toBe(503)
    expect(site.log.filter(({ level }) => level >= 50).map(({ msg }) => msg)).toEqual([
      'the database is unavailable',
    ])
    site.log.length = 0
    expect(await rows()).toBe(before)
    const retry = await send(who, 'k', parts)
    expect([retry.statusCode, isReplay(retry)]).toEqual([endpoint.status, false])
    const after = await rows()
    expect(after).toBeGreaterThan(before)
    expect(isReplay(await send(who, 'k', parts))).toBe(true)
    expect(await rows()).toBe(after)
  })

  test('by more people at once than the server has connections is answered', async () => {
    const calls = await Promise.all(
      Array.from({ length: 25 }, async () => {
        const who = await callers.person()
        return { who, parts: await each.send(who) }
      }),
    )
    const replies = await Promise.all(calls.map(({ who, parts }) => send(who, 'k', parts)))
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(calls.map(() => endpoint.status))
  })

  test('after a day is new again', async () => {
    const who = await callers.person()
    const parts = await each.send(who)
    await send(who, 'k', parts)
    await site.db`
      update idempotency_keys set created_at = now() - interval '24 hours 1 second' where user_id = ${who.id}`
    const reply = await send(who, 'k', parts)
    expect([reply.statusCode, isReplay(reply)]).toEqual([each.again ?? endpoint.status, false])
  })
})

test('who has too many of something, and makes room, gets it by the same key', async () => {
  const who = await callers.person()
  await site.db`insert into collections (user_id, name) select ${who.id}, 'c' from generate_series(1, 1000)`
  const send = () =>
    site.app.inject({
      method: 'POST',
      url: '/api/collections/',
      headers: { authorization: `Bearer ${who.access}`, 'idempotency-key': 'k' },
      payload: { name: 'One more' },
    })
  expect((await send()).statusCode).toBe(409)
  await site.db`delete from collections where user_id = ${who.id} and name = 'c'`
  expect((await send()).statusCode).toBe(201)
})
