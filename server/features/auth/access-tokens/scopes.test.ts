/** What calls a token may make: by its scopes, and by what its owner may at that moment. */
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
import { registerValidation } from '../../../core/http/validation.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { saveFilm, vaultDestination } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, signUpModerator, type TestUser } from '../../../testing/test-users.ts'

const moderator1 = endpoint({
  method: 'GET',
  path: '/judge/',
  summary: 'Something that moderators may',
  group: 'test',
  auth: 'moderator',
  status: 200,
  reply: t.Object({ by: t.String() }),
  errors: [],
})

let site: TestApp
/** On the same database, with a call for moderators. */
let court: FastifyInstance
let mo: TestUser
beforeAll(async () => {
  site = await bootApp()
  court = Fastify()
  court.decorate('deps', site.app.deps)
  registerErrors(court)
  registerValidation(court)
  mount(court, moderator1, async ({ viewer }) => ({ by: viewer.username }))
  mo = await signUpModerator(site, 'mona')
})
afterAll(async () => {
  await court.close()
  await site.close()
})

async function createToken(person: TestUser, scopes: TokenScope[]): Promise<{ access: string }> {
  const body = { name: scopes.join(), scopes, expires_in_days: null }
  return { access: (await site.call(createAccessToken, { body }, person)).token }
}

const noScope = {
  status: 403,
  body: { detail: "This access token doesn't allow this.", code: 'insufficient-scope' },
}
const statusAt = async ({ access }: { access: string }) =>
  (await court.inject({ url: '/api/judge/', headers: { authorization: `Bearer ${access}` } })).statusCode
const params = { username: 'mona' }
const reads = (as: { access: string }) => site.call(getProfile, { params }, as)
const writes = (as: { access: string }) => site.call(updateProfile, { params, body: { bio: 'x' } }, as)

test('reads with read, writes with write, moderates with moderate, and nothing with another', async () => {
  const [read, write, moderate] = await Promise.all(
    (['read', 'write', 'moderate'] as const).map((scope) => createToken(mo, [scope])),
  )
  if (!read || !write || !moderate) throw new Error('three were asked for')
  expect((await reads(read)).email).toBe(mo.email)
  expect(await failedReply(reads(write))).toEqual(noScope)
  expect(await failedReply(reads(moderate))).toEqual(noScope)
  expect((await writes(write)).bio).toBe('x')
  expect(await failedReply(writes(read))).toEqual(noScope)
  expect(await failedReply(writes(moderate))).toEqual(noScope)
  expect([await statusAt(moderate), await statusAt(read), await statusAt(write)]).toEqual([200, 403, 403])
  const all = await createToken(mo, ['read', 'write', 'moderate'])
  expect([(await reads(all)).bio, (await writes(all)).bio, await statusAt(all)]).toEqual(['x', 'x', 200])
})

test('moderates for as long as its owner does', async () => {
  const judy = await signUpModerator(site, 'judy')
  const token = await createToken(judy, ['moderate'])
  expect(await statusAt(token)).toBe(200)
  await site.db`update users set is_moderator = false where id = ${judy.id}`
  expect(await statusAt(token)).toBe(403)
  await site.db`update users set is_moderator = true where id = ${judy.id}`
  expect(await statusAt(token)).toBe(200)
})

test('sees what its owner sees: private bookmarks, in a list and by themselves', async () => {
  const bob = await signUp(site, 'bob')
  const { id } = await saveFilm(site, mo, 'private', { bookmark: { access: 'private' } })
  const mine = await createToken(mo, ['read'])
  const theirs = await createToken(bob, ['read'])
  expect((await site.call(getBookmark, { params: { id } }, mine)).is_owner).toBe(true)
  expect((await failedReply(site.call(getBookmark, { params: { id } }, theirs))).status).toBe(404)
  const count = async (as: { access: string }) =>
    (await site.call(listVideos, { query: { user: 'mona' } }, as)).count
  expect([await count(mine), await count(theirs)]).toEqual([1, 0])
  // Where anyone may look, a token that may not read is still told so, and not shown what a visitor sees.
  const writer = await createToken(mo, ['write'])
  expect(await failedReply(site.call(getBookmark, { params: { id } }, writer))).toEqual(noScope)
})

test('sees what moderators alone see only where it may moderate', async () => {
  const dora = await signUp(site, 'dora')
  const { id, video } = await saveFilm(site, dora, 'under-review')
  await site.db`update videos set status = 'hidden' where id = ${video.id}`
  const seenBy = (as: { access: string }) => site.call(getBookmark, { params: { id } }, as)
  expect((await seenBy(mo)).id).toBe(id)
  expect((await failedReply(seenBy(await createToken(mo, ['read', 'write'])))).status).toBe(404)
  expect((await seenBy(await createToken(mo, ['read', 'moderate']))).id).toBe(id)
})

test('is let at nothing by which somebody signs in', async () => {
  const token = await createToken(mo, ['read', 'write', 'moderate'])
  const password = { password: mo.password }
  const passwords = { new_password1: 'another one', new_password2: 'another one' }
  const calls: [Endpoint, object][] = [
    [getAccountSecurity, {}],
    [reauthenticate, { body: password }],
    [changeEmail, { body: { email: 'else@example.org' } }],
    [cancelEmailChange, {}],
    [deleteAccount, { body: password }],
    [changePassword, { body: { old_password: mo.password, ...passwords } }],
    [listSessions, { query: {} }],
    [endSession, { params: { id: 1 } }],
    [endOtherSessions, {}],
    [listAccessTokens, { query: {} }],
    [createAccessToken, { body: { name: 'more', scopes: ['read'], expires_in_days: null } }],
  ]
  for (const [call, input] of calls) {
    const answer = await failedReply(site.call(call, input as never, token))
    expect([call.path, answer]).toEqual([call.path, noScope])
  }
})

test('draws on its owner’s limits, as their browser does', async () => {
  const strict = await bootApp({ settings: { rateLimitScale: 1 } })
  const carol = await signUp(strict, 'carol')
  const body = { name: 'script', scopes: ['write'] as TokenScope[], expires_in_days: null }
  const { token } = await strict.call(createAccessToken, { body }, carol)
  await strict.db`
    insert into rate_limits (key, tokens) values (${`profile user ${carol.id}`}, 2)`
  const update = (as: { access: string }) =>
    strict.call(updateProfile, { params: { username: 'carol' }, body: {} }, as)
  await update(carol)
  await update({ access: token })
  expect((await failedReply(update({ access: token }))).status).toBe(429)
  expect((await failedReply(update(carol))).status).toBe(429)
  await strict.close()
})

test('repeats nothing that its owner did already with the same Idempotency-Key', async () => {
  const token = await createToken(mo, ['write'])
  const { channel_id } = await vaultDestination(site, mo)
  const saving = (access: string) =>
    site.app.inject({
      method: 'POST',
      url: `/api${saveBookmark.path}`,
      headers: { authorization: `Bearer ${access}`, 'idempotency-key': 'once' },
      payload: {
        video: { source_url: 'https://films.example.org/watch/once', title: 'Once' },
        bookmark: { channel_id },
      },
    })
  const [first, again] = [await saving(token.access), await saving(token.access)]
  expect([first.statusCode, again.statusCode]).toEqual([201, 201])
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect(again.json().id).toBe(first.json().id)
  expect((await saving(mo.access)).headers['idempotency-replayed']).toBe('true')
})
