import { getProfile, updateProfile } from '@reelmark/contract/profiles.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { createDestination, vaultDestination } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let alice: TestUser
let people = 0
beforeAll(async () => {
  site = await bootApp()
})
afterAll(() => site.close())
beforeEach(async () => {
  people += 1
  alice = await signUp(site, `Alice${people}`)
})

type Changes = Parameters<typeof site.call<typeof updateProfile>>[1]['body']
const update = (body: Changes, username = alice.username, as: TestUser | null = alice) =>
  site.call(updateProfile, { params: { username }, body }, as)
const profile = () => site.call(getProfile, { params: { username: alice.username } }, alice)
/** As it comes, for what the types do not let one send. */
const send = (payload: object) =>
  site.app.inject({
    method: 'PATCH',
    url: `/api/profile/${alice.username}/`,
    headers: { authorization: `Bearer ${alice.access}` },
    payload,
  })

test('what is named changes, the rest stays, and the whole profile is answered', async () => {
  const before = await profile()
  const { collection_id } = await vaultDestination(site, alice)
  const changes = {
    bio: 'I like long walks.',
    default_bookmark_orientation: 'gay',
    default_bookmark_collection: collection_id,
    notify_on_follow: false,
    notify_on_new_bookmark_from_followed_user: false,
  } as const
  expect(await update(changes)).toEqual({ ...before, ...changes })
  expect(await profile()).toEqual({ ...before, ...changes })
  const more = {
    notify_on_own_video_bookmarked: false,
    notify_on_own_video_liked: false,
    notify_on_follow: true,
  }
  expect(await update(more)).toEqual({ ...before, ...changes, ...more })
})

test('nothing named changes nothing', async () => {
  const before = await profile()
  expect(await update({})).toEqual(before)
})

test('a bio can be emptied, a default collection let go of', async () => {
  const { collection_id } = await vaultDestination(site, alice)
  await update({ bio: 'x', default_bookmark_collection: collection_id })
  expect(await update({ bio: '  ', default_bookmark_collection: null })).toMatchObject({
    bio: '',
    default_bookmark_collection: null,
  })
})

test('one’s own name may be spelt in any case', async () => {
  expect(await update({ bio: 'loud' }, alice.username.toUpperCase())).toMatchObject({
    username: alice.username,
    bio: 'loud',
  })
})

test('it is one statement beside who asks and word to the other processes', async () => {
  site.statements.length = 0
  await update({ bio: 'quick' })
  expect(site.statements.filter((text) => /users/.test(text))).toHaveLength(2)
})

test('somebody else’s profile is refused, nobody’s is not there', async () => {
  const bob = await signUp(site, `Bob${people}`)
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

test('a default collection must be one’s own', async () => {
  const bob = await signUp(site, `Bob${people}`)
  const { collection_id: theirs } = await createDestination(site, bob)
  for (const id of [theirs, 999_999, Number.MAX_SAFE_INTEGER]) {
    expect(await failedReply(update({ bio: 'changed', default_bookmark_collection: id }))).toEqual({
      status: 400,
      body: { code: 'invalid', default_bookmark_collection: [`Invalid pk "${id}" - object does not exist.`] },
    })
  }
  expect((await profile()).bio).toBe('')
})

test('a default collection that is deleted at that moment is refused or let go of, and never a fault', async () => {
  for (let turn = 0; turn < 10; turn++) {
    const { collection_id } = await createDestination(site, alice)
    await Promise.all([
      update({ default_bookmark_collection: collection_id }).catch((error: { status: number }) => {
        expect(error.status).toBe(400)
      }),
      site.db`delete from collections where id = ${collection_id}`,
    ])
    expect((await profile()).default_bookmark_collection).toBeNull()
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
])('%s as %j is refused at the field', async (field, value) => {
  const reply = await send({ [field]: value })
  expect([reply.statusCode, Object.keys(reply.json())]).toEqual([400, [field, 'code']])
})

test('five hundred letters of any alphabet fit', async () => {
  const bio = '🎬'.repeat(500)
  expect((await update({ bio })).bio).toBe(bio)
})

test.each([[[]], ['null'], ['"x"'], ['7'], ['{']])('the body %j is refused', async (payload) => {
  const reply = await site.app.inject({
    method: 'PATCH',
    url: `/api/profile/${alice.username}/`,
    headers: { authorization: `Bearer ${alice.access}`, 'content-type': 'application/json' },
    payload,
  })
  expect(reply.statusCode).toBe(400)
})
