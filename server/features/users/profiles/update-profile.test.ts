import { getProfile, updateProfile } from '@reelmark/contract/profiles.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { createDestination, vaultDestination } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let alice: TestUser
let userCount = 0
beforeAll(async () => {
  site = await bootApp()
})
afterAll(() => site.close())
beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `Alice${userCount}`)
})

type Changes = Parameters<typeof site.call<typeof updateProfile>>[1]['body']
const update = (body: Changes, username = alice.username, viewer: TestUser | null = alice) =>
  site.call(updateProfile, { params: { username }, body }, viewer)
const readProfile = () => site.call(getProfile, { params: { username: alice.username } }, alice)
/** Sends a body without type checks. */
const send = (payload: object) =>
  site.app.inject({
    method: 'PATCH',
    url: `/api/profile/${alice.username}/`,
    headers: { authorization: `Bearer ${alice.access}` },
    payload,
  })

test('an update changes the given fields only, and the response is the whole profile', async () => {
  const before = await readProfile()
  const { collection_id } = await vaultDestination(site, alice)
  const changes = {
    bio: 'I like long walks.',
    default_bookmark_orientation: 'gay',
    default_bookmark_collection: collection_id,
    notify_on_follow: false,
    notify_on_new_bookmark_from_followed_user: false,
  } as const
  expect(await update(changes)).toEqual({ ...before, ...changes })
  expect(await readProfile()).toEqual({ ...before, ...changes })
  const otherChanges = {
    notify_on_own_video_bookmarked: false,
    notify_on_own_video_liked: false,
    notify_on_follow: true,
  }
  expect(await update(otherChanges)).toEqual({ ...before, ...changes, ...otherChanges })
})

test('an empty update changes nothing', async () => {
  const before = await readProfile()
  expect(await update({})).toEqual(before)
})

test('the bio and the default collection can be removed', async () => {
  const { collection_id } = await vaultDestination(site, alice)
  await update({ bio: 'x', default_bookmark_collection: collection_id })
  expect(await update({ bio: '  ', default_bookmark_collection: null })).toMatchObject({
    bio: '',
    default_bookmark_collection: null,
  })
})

test('the username in the path may be in any case', async () => {
  expect(await update({ bio: 'loud' }, alice.username.toUpperCase())).toMatchObject({
    username: alice.username,
    bio: 'loud',
  })
})

test('an update takes one statement besides the authentication and the cache invalidation', async () => {
  site.statements.length = 0
  await update({ bio: 'quick' })
  expect(site.statements.filter((text) => /users/.test(text))).toHaveLength(2)
})

test('the profile of another user cannot be changed, and an unknown one is not found', async () => {
  const bob = await signUp(site, `Bob${userCount}`)
  expect(await failedReply(update({ bio: 'mine now' }, bob.username))).toEqual({
    status: 403,
    body: { detail: "You don't have permission to do this.", code: 'forbidden' },
  })
  const missing = { status: 404, body: { detail: 'Not found.', code: 'not-found' } }
  expect(await failedReply(update({ bio: 'x' }, 'nobody'))).toEqual(missing)
  await site.db`update users set banned_at = now() where id = ${bob.id}`
  expect(await failedReply(update({ bio: 'x' }, bob.username))).toEqual(missing)
  expect((await failedReply(update({ bio: 'x' }, alice.username, null))).status).toBe(401)
  const [row] = await site.db`select bio from users where id = ${bob.id}`
  expect(row?.bio).toBe('')
})

test('the default collection must belong to the user', async () => {
  const bob = await signUp(site, `Bob${userCount}`)
  const { collection_id: foreignId } = await createDestination(site, bob)
  for (const id of [foreignId, 999_999, Number.MAX_SAFE_INTEGER]) {
    expect(await failedReply(update({ bio: 'changed', default_bookmark_collection: id }))).toEqual({
      status: 400,
      body: { code: 'invalid', default_bookmark_collection: [`Invalid pk "${id}" - object does not exist.`] },
    })
  }
  expect((await readProfile()).bio).toBe('')
})

test('setting a default collection while it is being deleted is refused or undone, and causes no internal error', async () => {
  for (let round = 0; round < 10; round++) {
    const { collection_id } = await createDestination(site, alice)
    await Promise.all([
      update({ default_bookmark_collection: collection_id }).catch((error: { status: number }) => {
        expect(error.status).toBe(400)
      }),
      site.db`delete from collections where id = ${collection_id}`,
    ])
    expect((await readProfile()).default_bookmark_collection).toBeNull()
  }
})

test.each([
  ['bio', 7],
  ['bio', null],
  ['bio', 'x'.repeat(501)],
  ['bio', 'a\0b'],
  ['default_bookmark_orientation', 'landscape'],
  ['default_bookmark_orientation', null],
  ['default_bookmark_collection', '7'],
  ['default_bookmark_collection', 0],
  ['default_bookmark_collection', 1.5],
  ['default_bookmark_collection', 1e30],
  ['notify_on_follow', 'yes'],
  ['notify_on_own_video_liked', null],
  ['is_moderator', true],
  ['username', 'other'],
  ['email', 'other@example.org'],
])('%s as %j is refused with an error for the field', async (field, value) => {
  const reply = await send({ [field]: value })
  expect([reply.statusCode, Object.keys(reply.json())]).toEqual([400, [field, 'code']])
})

test('a bio may have five hundred characters of four bytes', async () => {
  const bio = '🎬'.repeat(500)
  expect((await update({ bio })).bio).toBe(bio)
})

test.each([[[]], ['null'], ['"x"'], ['7'], ['{']])('the malformed body %j is refused', async (payload) => {
  const reply = await site.app.inject({
    method: 'PATCH',
    url: `/api/profile/${alice.username}/`,
    headers: { authorization: `Bearer ${alice.access}`, 'content-type': 'application/json' },
    payload,
  })
  expect(reply.statusCode).toBe(400)
})
