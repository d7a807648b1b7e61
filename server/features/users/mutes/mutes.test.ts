import { createMute, deleteMute, listMutes } from '@reelmark/contract/mutes.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Callers, createCallers } from '../../../testing/callers.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { failedReply, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let callers: Callers
let alice: TestUser
let bob: TestUser
beforeAll(async () => {
  site = await bootApp()
  callers = createCallers(site)
})
afterAll(() => site.close())
beforeEach(async () => {
  alice = await callers.person()
  bob = await callers.person()
})

const muting = (body: { user_id?: number; tag?: string }, as: TestUser | null = alice) =>
  site.call(createMute, { body }, as)
const listing = (as: TestUser | null = alice, query: object = {}) => site.call(listMutes, { query }, as)

test('people and tags are muted once, listed the latest first, and muted no more', async () => {
  const person = await muting({ user_id: bob.id })
  expect(person).toEqual({
    id: expect.any(Number),
    user: { id: bob.id, username: bob.username, avatar_url: '/media/default.jpg', is_verified: false },
    tag: null,
    created_at: expect.any(String),
  })
  const tag = await muting({ tag: '  CAT   Videos ' })
  expect(tag).toMatchObject({ user: null, tag: 'cat videos' })
  expect(await muting({ user_id: bob.id })).toEqual(person)
  expect(await muting({ tag: 'cat videos' })).toEqual(tag)
  expect(await listing()).toEqual({ count: 2, next: null, previous: null, results: [tag, person] })
  expect((await site.call(getProfile, { params: { username: bob.username } }, alice)).mute_id).toBe(person.id)
  expect((await site.call(getProfile, { params: { username: alice.username } }, bob)).mute_id).toBe(null)
  expect(await listing(alice, { tag: 'Cat  videos' })).toMatchObject({ count: 1, results: [tag] })
  expect(await listing(alice, { tag: 'dogs' })).toMatchObject({ count: 0, results: [] })
  expect(await listing(bob)).toMatchObject({ count: 0, results: [] })
  expect((await failedReply(site.call(deleteMute, { params: { id: person.id } }, bob))).status).toBe(404)
  await site.call(deleteMute, { params: { id: person.id } }, alice)
  expect((await failedReply(site.call(deleteMute, { params: { id: person.id } }, alice))).status).toBe(404)
  expect(await listing()).toMatchObject({ count: 1, results: [tag] })
})

test.each([
  [{}, { non_field_errors: ['Name a user_id or a tag.'] }],
  [{ user_id: 1, tag: 'x' }, { non_field_errors: ['Name a user_id or a tag.'] }],
  [{ user_id: 123_456_789 }, { user_id: ['Invalid pk "123456789" - object does not exist.'] }],
  // Longer in lower case than as it was sent.
  [{ tag: 'İ'.repeat(50) }, { tag: [expect.stringContaining('50 characters')] }],
] as const)('%j is refused with a reason', async (body, problems) => {
  expect(await failedReply(muting(body))).toEqual({
    status: 400,
    body: { ...problems, code: 'invalid' },
  })
})

test.each([
  { user_id: '7' },
  { user_id: 0 },
  { user_id: 1e30 },
  { user_id: null },
  { tag: '' },
  { tag: ' ' },
  { tag: 7 },
  { tag: 'x'.repeat(51) },
  { tag: 'a\u0000b' },
  { other: 1 },
  [],
])('%j is refused', async (body) => {
  const reply = await site.app.inject({
    method: 'POST',
    url: '/api/mutes/',
    headers: { authorization: `Bearer ${alice.access}` },
    payload: body,
  })
  expect(reply.statusCode).toBe(400)
})

test('oneself, somebody banned, and nobody signed in cannot be muted or mute', async () => {
  expect(await failedReply(muting({ user_id: alice.id }))).toEqual({
    status: 400,
    body: { code: 'invalid', user_id: ["You can't mute yourself."] },
  })
  await site.db`update users set banned_at = now() where id = ${bob.id}`
  expect((await failedReply(muting({ user_id: bob.id }))).status).toBe(400)
  expect((await failedReply(muting({ tag: 'x' }, null))).status).toBe(401)
  expect((await failedReply(listing(null))).status).toBe(401)
})

test('there are so many and no more, also of many at once', async () => {
  await site.db`
    insert into mutes (user_id, tag) select ${alice.id}, 't' || n from generate_series(1, ${limits.mutesMax - 3}) n`
  const told = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => muting({ tag: `new${n}` })))
  expect(told.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(await listing()).toMatchObject({ count: limits.mutesMax })
  expect((await failedReply(muting({ user_id: bob.id }))).status).toBe(409)
  // What is there already is answered all the same.
  expect(await muting({ tag: 't1' })).toMatchObject({ tag: 't1' })
  expect((await failedReply(listing(alice, { page: 999 }))).body).toEqual({
    detail: 'Invalid page.',
    code: 'invalid-page',
  })
})
