/** What an access token allows: limited by its scopes and by the current rights of its owner. */
import { createAccessToken, listAccessTokens, type TokenScope } from '@reelmark/contract/access-tokens.ts'
import {
  cancelEmailChange,
  changeEmail,
  deleteAccount,
  getAccountSecurity,
  reauthenticate,
} from '@reelmark/contract/account-settings.ts'
import { changePassword, endOtherSessions, endSession, listSessions } from '@reelmark/contract/accounts.ts'
import { getBookmark, saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { getProfile, updateProfile } from '@reelmark/contract/profiles.ts'
import { type Endpoint, endpoint } from '@reelmark/contract/protocol/endpoint.ts'
import Fastify, { type FastifyInstance } from 'fastify'
import * as t from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mount } from '../../../core/http/endpoints.ts'
import { registerErrors } from '../../../core/http/errors.ts'
import { registerRateLimits } from '../../../core/http/rate-limits.ts'
import { registerValidation } from '../../../core/http/validation.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { saveFilm, vaultDestination } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, signUpModerator, type TestUser } from '../../../testing/test-users.ts'

const moderatorEndpoint = endpoint({
  method: 'GET',
  path: '/moderators-only/',
  summary: 'Available to moderators only',
  group: 'test',
  auth: 'moderator',
  status: 200,
  reply: t.Object({ by: t.String() }),
  errors: [],
})

let site: TestApp
/** An app on the same database with an endpoint for moderators. */
let moderatorApp: FastifyInstance
let moderator: TestUser
beforeAll(async () => {
  site = await bootApp()
  moderatorApp = Fastify()
  moderatorApp.decorate('deps', site.app.deps)
  registerErrors(moderatorApp)
  registerRateLimits(moderatorApp)
  registerValidation(moderatorApp)
  mount(moderatorApp, moderatorEndpoint, async ({ viewer }) => ({ by: viewer.username }))
  moderator = await signUpModerator(site, 'mona')
})
afterAll(async () => {
  await moderatorApp.close()
  await site.close()
})

async function createToken(owner: TestUser, scopes: TokenScope[]): Promise<{ access: string }> {
  const body = { name: scopes.join(), scopes, expires_in_days: null }
  return { access: (await site.call(createAccessToken, { body }, owner)).token }
}

const insufficientScope = {
  status: 403,
  body: { detail: "This access token doesn't allow this.", code: 'insufficient-scope' },
}
const callModeratorEndpoint = async ({ access }: { access: string }) =>
  (
    await moderatorApp.inject({
      url: '/api/moderators-only/',
      headers: { authorization: `Bearer ${access}` },
    })
  ).statusCode
const params = { username: 'mona' }
const readProfile = (viewer: { access: string }) => site.call(getProfile, { params }, viewer)
const writeProfile = (viewer: { access: string }) =>
  site.call(updateProfile, { params, body: { bio: 'x' } }, viewer)

test('each scope allows its own calls: read, write and moderate, and no others', async () => {
  const [read, write, moderate] = await Promise.all(
    (['read', 'write', 'moderate'] as const).map((scope) => createToken(moderator, [scope])),
  )
  if (!read || !write || !moderate) throw new Error('three tokens expected')
  expect((await readProfile(read)).email).toBe(moderator.email)
  expect(await failedReply(readProfile(write))).toEqual(insufficientScope)
  expect(await failedReply(readProfile(moderate))).toEqual(insufficientScope)
  expect((await writeProfile(write)).bio).toBe('x')
  expect(await failedReply(writeProfile(read))).toEqual(insufficientScope)
  expect(await failedReply(writeProfile(moderate))).toEqual(insufficientScope)
  expect([
    await callModeratorEndpoint(moderate),
    await callModeratorEndpoint(read),
    await callModeratorEndpoint(write),
  ]).toEqual([200, 403, 403])
  const all = await createToken(moderator, ['read', 'write', 'moderate'])
  expect([
    (await readProfile(all)).bio,
    (await writeProfile(all)).bio,
    await callModeratorEndpoint(all),
  ]).toEqual(['x', 'x', 200])
})

test('the scope moderate works only while the owner is a moderator', async () => {
  const judy = await signUpModerator(site, 'judy')
  const token = await createToken(judy, ['moderate'])
  expect(await callModeratorEndpoint(token)).toBe(200)
  await site.db`update users set is_moderator = false where id = ${judy.id}`
  expect(await callModeratorEndpoint(token)).toBe(403)
  await site.db`update users set is_moderator = true where id = ${judy.id}`
  expect(await callModeratorEndpoint(token)).toBe(200)
})

test('a token with the scope read sees its owner’s private bookmarks, also in lists', async () => {
  const bob = await signUp(site, 'bob')
  const { id } = await saveFilm(site, moderator, 'private', { bookmark: { access: 'private' } })
  const ownToken = await createToken(moderator, ['read'])
  const otherToken = await createToken(bob, ['read'])
  expect((await site.call(getBookmark, { params: { id } }, ownToken)).is_owner).toBe(true)
  expect((await failedReply(site.call(getBookmark, { params: { id } }, otherToken))).status).toBe(404)
  const count = async (viewer: { access: string }) =>
    (await site.call(listVideos, { query: { user: 'mona' } }, viewer)).count
  expect([await count(ownToken), await count(otherToken)]).toEqual([1, 0])
  // Without the scope read the call is refused, even where a visitor would get a response.
  const writer = await createToken(moderator, ['write'])
  expect(await failedReply(site.call(getBookmark, { params: { id } }, writer))).toEqual(insufficientScope)
})

test('content for moderators is visible only with the scope moderate', async () => {
  const dora = await signUp(site, 'dora')
  const { id, video } = await saveFilm(site, dora, 'under-review')
  await site.db`update videos set status = 'hidden' where id = ${video.id}`
  const bookmarkFor = (viewer: { access: string }) => site.call(getBookmark, { params: { id } }, viewer)
  expect((await bookmarkFor(moderator)).id).toBe(id)
  expect((await failedReply(bookmarkFor(await createToken(moderator, ['read', 'write'])))).status).toBe(404)
  expect((await bookmarkFor(await createToken(moderator, ['read', 'moderate']))).id).toBe(id)
})

test('no scope allows access to sign-in methods, sessions or tokens', async () => {
  const token = await createToken(moderator, ['read', 'write', 'moderate'])
  const password = { password: moderator.password }
  const passwords = { new_password1: 'another one', new_password2: 'another one' }
  const calls: [Endpoint, object][] = [
    [getAccountSecurity, {}],
    [reauthenticate, { body: password }],
    [changeEmail, { body: { email: 'else@example.org' } }],
    [cancelEmailChange, {}],
    [deleteAccount, { body: password }],
    [changePassword, { body: { old_password: moderator.password, ...passwords } }],
    [listSessions, { query: {} }],
    [endSession, { params: { id: 1 } }],
    [endOtherSessions, {}],
    [listAccessTokens, { query: {} }],
    [createAccessToken, { body: { name: 'more', scopes: ['read'], expires_in_days: null } }],
  ]
  for (const [call, input] of calls) {
    const reply = await failedReply(site.call(call, input as never, token))
    expect([call.path, reply]).toEqual([call.path, insufficientScope])
  }
})

test('calls with a token count towards its owner’s rate limits', async () => {
  const strict = await bootApp({ settings: { rateLimitScale: 1 } })
  const carol = await signUp(strict, 'carol')
  const body = { name: 'script', scopes: ['write'] as TokenScope[], expires_in_days: null }
  const { token } = await strict.call(createAccessToken, { body }, carol)
  await strict.db`
    insert into rate_limits (key, tokens) values (${`profile user ${carol.id}`}, 2)`
  const update = (viewer: { access: string }) =>
    strict.call(updateProfile, { params: { username: 'carol' }, body: {} }, viewer)
  await update(carol)
  await update({ access: token })
  expect((await failedReply(update({ access: token }))).status).toBe(429)
  expect((await failedReply(update(carol))).status).toBe(429)
  await strict.close()
})

test('an Idempotency-Key is shared between a token and its owner’s sessions', async () => {
  const token = await createToken(moderator, ['write'])
  const { channel_id } = await vaultDestination(site, moderator)
  const save = (access: string) =>
    site.app.inject({
      method: 'POST',
      url: `/api${saveBookmark.path}`,
      headers: { authorization: `Bearer ${access}`, 'idempotency-key': 'once' },
      payload: {
        video: { source_url: 'https://films.example.org/watch/once', title: 'Once' },
        bookmark: { channel_id },
      },
    })
  const [first, second] = [await save(token.access), await save(token.access)]
  expect([first.statusCode, second.statusCode]).toEqual([201, 201])
  expect(second.headers['idempotency-replayed']).toBe('true')
  expect(second.json().id).toBe(first.json().id)
  expect((await save(moderator.access)).headers['idempotency-replayed']).toBe('true')
})
