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
  alice = await callers.createUser()
  bob = await callers.createUser()
})

const mute = (body: { user_id?: number; tag?: string }, viewer: TestUser | null = alice) =>
  site.call(createMute, { body }, viewer)
const listFor = (viewer: TestUser | null = alice, query: object = {}) =>
  site.call(listMutes, { query }, viewer)

test('muting users and tags is idempotent, and mutes are listed latest first and can be deleted', async () => {
  const userMute = await mute({ user_id: bob.id })
  expect(userMute).toEqual({
    id: expect.any(Number),
    user: { id: bob.id, username: bob.username, avatar_url: '/media/default.jpg', is_verified: false },
    tag: null,
    created_at: expect.any(String),
  })
  const tagMute = await mute({ tag: '  CAT   Videos ' })
  expect(tagMute).toMatchObject({ user: null, tag: 'cat videos' })
  expect(await mute({ user_id: bob.id })).toEqual(userMute)
  expect(await mute({ tag: 'cat videos' })).toEqual(tagMute)
  expect(await listFor()).toEqual({ count: 2, next: null, previous: null, results: [tagMute, userMute] })
  expect((await site.call(getProfile, { params: { username: bob.username } }, alice)).mute_id).toBe(
    userMute.id,
  )
  expect((await site.call(getProfile, { params: { username: alice.username } }, bob)).mute_id).toBe(null)
  expect(await listFor(alice, { tag: 'Cat  videos' })).toMatchObject({ count: 1, results: [tagMute] })
  expect(await listFor(alice, { tag: 'dogs' })).toMatchObject({ count: 0, results: [] })
  expect(await listFor(bob)).toMatchObject({ count: 0, results: [] })
  expect((await failedReply(site.call(deleteMute, { params: { id: userMute.id } }, bob))).status).toBe(404)
  await site.call(deleteMute, { params: { id: userMute.id } }, alice)
  expect((await failedReply(site.call(deleteMute, { params: { id: userMute.id } }, alice))).status).toBe(404)
  expect(await listFor()).toMatchObject({ count: 1, results: [tagMute] })
})

test.each([
  [{}, { non_field_errors: ['Name a user_id or a tag.'] }],
  [{ user_id: 1, tag: 'x' }, { non_field_errors: ['Name a user_id or a tag.'] }],
  [{ user_id: 123_456_789 }, { user_id: ['Invalid pk "123456789" - object does not exist.'] }],
  // Longer in lower case than as sent.
  [{ tag: 'İ'.repeat(50) }, { tag: [expect.stringContaining('50 characters')] }],
] as const)('%j is refused with a message', async (body, problems) => {
  expect(await failedReply(mute(body))).toEqual({
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
])('the malformed body %j is refused', async (body) => {
  const reply = await site.app.inject({
    method: 'POST',
    url: '/api/mutes/',
    headers: { authorization: `Bearer ${alice.access}` },
    payload: body,
  })
  expect(reply.statusCode).toBe(400)
})

test('users cannot mute themselves or banned users, and visitors cannot mute', async () => {
  expect(await failedReply(mute({ user_id: alice.id }))).toEqual({
    status: 400,
    body: { code: 'invalid', user_id: ["You can't mute yourself."] },
  })
  await site.db`update users set banned_at = now() where id = ${bob.id}`
  expect((await failedReply(mute({ user_id: bob.id }))).status).toBe(400)
  expect((await failedReply(mute({ tag: 'x' }, null))).status).toBe(401)
  expect((await failedReply(listFor(null))).status).toBe(401)
})

test('the maximum number of mutes is respected, also with concurrent requests', async () => {
  await site.db`
    insert into mutes (user_id, tag) select ${alice.id}, 't' || n from generate_series(1, ${limits.mutesMax - 3}) n`
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => mute({ tag: `new${n}` })))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(await listFor()).toMatchObject({ count: limits.mutesMax })
  expect((await failedReply(mute({ user_id: bob.id }))).status).toBe(409)
  // Repeating an existing mute is still possible.
  expect(await mute({ tag: 't1' })).toMatchObject({ tag: 't1' })
  expect((await failedReply(listFor(alice, { page: 999 }))).body).toEqual({
    detail: 'Invalid page.',
    code: 'invalid-page',
  })
})
