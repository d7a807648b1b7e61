/** Sanctions against users, and the audit log of them. */
import { logIn } from '@reelmark/contract/accounts.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { createComment } from '@reelmark/contract/comments.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { listNotifications } from '@reelmark/contract/notifications.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { createAppeal, listOwnDecisions } from '@reelmark/contract/reports.ts'
import {
  banUser,
  demoteUser,
  exportAuditLog,
  getModerationCounts,
  getStatistics,
  getUserHistory,
  listAuditLog,
  promoteUser,
  searchUsers,
  suspendUser,
  unbanUser,
  unsuspendUser,
  verifyUser,
  warnUser,
} from '@reelmark/contract/sanctions.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import {
  failedReply,
  signUp,
  signUpModerator,
  signUpOwner,
  type TestUser,
} from '../../../testing/test-users.ts'
import { syncBannedUserBookmarks } from './user-queries.ts'

let site: TestApp
let ana: TestUser
let mod: TestUser
let other: TestUser
let owner: TestUser
beforeAll(async () => {
  site = await bootApp()
  ana = await signUp(site, 'ana')
  mod = await signUpModerator(site, 'mod')
  other = await signUpModerator(site, 'other')
  owner = await signUpOwner(site, 'owner')
})
afterAll(() => site.close())

const on = <B extends object>({ id }: { id: number }, body = {} as B) => ({ params: { id }, body })
const suspended = {
  status: 403,
  body: { detail: 'This account is suspended.', code: 'suspended', until: expect.any(String) },
}

test('a warned user gets a notification with the moderator’s statement, but not the moderator’s name', async () => {
  await site.call(warnUser, on(ana, { statement: 'Please flag adult videos', reason: 'other' }), mod)
  const { results } = await site.call(listNotifications, { query: {} }, ana)
  expect(results[0]).toMatchObject({ kind: 'moderation', decision: { action: 'warn', reason: 'other' } })
  const { results: decisions } = await site.call(listOwnDecisions, { query: {} }, ana)
  expect(decisions[0]).toMatchObject({
    action: 'warn',
    statement: 'Please flag adult videos',
    can_appeal: true,
  })
  expect(decisions[0]).not.toHaveProperty('moderator')
})

test('a suspended user can read and appeal, but not save or comment suspendedUntil the suspension ends', async () => {
  const saved = await saveFilm(site, ana, 'before')
  await site.call(suspendUser, on(ana, { days: 3 }), mod)
  expect(await failedReply(saveFilm(site, ana, 'meanwhile'))).toEqual(suspended)
  const suspendedUntil = async (viewer: TestUser) =>
    (await site.call(getProfile, { params: { username: 'ana' } }, viewer)).suspended_until
  expect(Date.parse((await suspendedUntil(ana)) ?? '')).toBeGreaterThan(Date.now())
  expect(await suspendedUntil(other)).toBeUndefined()
  const comment = { params: { id: saved.video.id }, body: { content: 'Hello' } }
  expect(await failedReply(site.call(createComment, comment, ana))).toEqual(suspended)
  expect(await site.call(getBookmark, { params: { id: saved.id } }, ana)).toMatchObject({ id: saved.id })
  const { results } = await site.call(listOwnDecisions, { query: {} }, ana)
  await site.call(createAppeal, on({ id: results[0]?.id ?? 0 }, { text: 'Sorry' }), ana)
  await site.call(unsuspendUser, on(ana), other)
  expect(await suspendedUntil(ana)).toBeNull()
  await site.call(createComment, comment, ana)
  expect(await failedReply(site.call(unsuspendUser, on(ana), other))).toMatchObject({ status: 404 })
})

test('a banned user is signed out and their content disappears; lifting the ban shows it again', async () => {
  const bob = await signUp(site, 'bob')
  const saved = await saveFilm(site, bob, 'bobs')
  await site.call(banUser, on(bob, { statement: 'Spam' }), mod)
  expect(await failedReply(site.call(listOwnDecisions, { query: {} }, bob))).toMatchObject({ status: 401 })
  const login = { body: { username: 'bob', password: bob.password } }
  expect(await failedReply(site.call(logIn, login))).toMatchObject({ status: 403 })
  expect(await failedReply(site.call(getProfile, { params: { username: 'bob' } }))).toMatchObject({
    status: 404,
  })
  for (const viewer of [undefined, ana]) {
    const read = site.call(getBookmark, { params: { id: saved.id } }, viewer)
    expect(await failedReply(read)).toMatchObject({ status: 404 })
  }
  expect(await syncBannedUserBookmarks(site.db, bob.id)).toBe(1)
  const listedIds = async () => (await site.call(listVideos, { query: {} })).results.map(({ id }) => id)
  expect(await listedIds()).not.toContain(saved.id)
  expect(await site.call(getUserHistory, { params: { username: 'BOB' } }, mod)).toMatchObject({
    banned_at: expect.any(String),
    ban_reason: 'Spam',
    decisions: [{ action: 'ban', moderator: { username: 'mod' } }],
  })
  await site.call(unbanUser, on(bob), other)
  await syncBannedUserBookmarks(site.db, bob.id)
  expect(await listedIds()).toContain(saved.id)
  await site.call(logIn, login)
  expect(await counterMismatches(site)).toEqual([])
})

test('a moderator must be demoted before a ban, and cannot ban or demote themselves', async () => {
  expect(await failedReply(site.call(banUser, on(other), mod))).toMatchObject({ status: 403 })
  expect(await failedReply(site.call(banUser, on(mod), mod))).toMatchObject({ status: 400 })
  expect(await failedReply(site.call(demoteUser, on(owner), owner))).toMatchObject({ status: 400 })
  await site.call(promoteUser, on(ana), owner)
  expect(await site.call(searchUsers, { query: { q: 'AN', only: 'moderators' } }, mod)).toMatchObject({
    count: 1,
    results: [{ user: { username: 'ana' }, is_moderator: true, is_owner: false }],
  })
  await site.call(demoteUser, on(ana), owner)
  expect(await failedReply(site.call(listAuditLog, { query: {} }, ana))).toMatchObject({ status: 403 })
})

test('only owners appoint and dismiss moderators, and moderators cannot act against owners', async () => {
  const refused = { status: 403, body: { code: 'forbidden' } }
  expect(await failedReply(site.call(promoteUser, on(ana), mod))).toMatchObject(refused)
  expect(await failedReply(site.call(demoteUser, on(other), mod))).toMatchObject(refused)
  expect(await failedReply(site.call(banUser, on(owner), mod))).toMatchObject(refused)
  const second = await signUpOwner(site, 'second')
  expect(await failedReply(site.call(demoteUser, on(second), owner))).toMatchObject(refused)
  expect(await failedReply(site.call(promoteUser, on(second), owner))).toMatchObject(refused)
  await site.db`update sessions set authenticated_at = now() - interval '1 hour' where user_id = ${second.id}`
  expect(await failedReply(site.call(promoteUser, on(ana), second))).toMatchObject({
    status: 403,
    body: { code: 'reauthentication-required' },
  })
  await site.db`update users set is_owner = false, is_moderator = false where id = ${second.id}`
  expect(await failedReply(site.call(promoteUser, on(ana), second))).toMatchObject(refused)
})

test('an owner sees their role on their own profile, and nobody else does', async () => {
  const read = (viewer: TestUser) => site.call(getProfile, { params: { username: 'owner' } }, viewer)
  expect(await read(owner)).toMatchObject({ is_owner: true, is_moderator: true })
  expect(await read(mod)).not.toHaveProperty('is_owner')
})

test('verifying a user shows the badge on their profile', async () => {
  expect(await site.call(verifyUser, on(ana), mod)).toMatchObject({ is_verified: true })
  expect(await site.call(getProfile, { params: { username: 'ana' } })).toMatchObject({ is_verified: true })
})

test('every action is in the audit log, which can be filtered and exported but not changed', async () => {
  const { results, count } = await site.call(
    listAuditLog,
    { query: { target_kind: 'user', target_id: ana.id } },
    mod,
  )
  expect(results.map(({ action }) => action)).toEqual([
    'verify',
    'demote',
    'promote',
    'unsuspend',
    'suspend',
    'warn',
  ])
  expect(count).toBe(6)
  expect(results[1]).toMatchObject({
    actor_name: 'owner',
    target_name: 'ana',
    before: { is_moderator: true },
    after: { is_moderator: false },
  })
  const reply = await site.app.inject({
    url: '/api/moderation/audit/export/',
    headers: { authorization: `Bearer ${mod.access}` },
  })
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(reply.body.split('\r\n')[0]).toBe(
    'id,created_at,actor,action,target_kind,target_id,before,after,note',
  )
  expect(reply.body).toContain('Please flag adult videos')
  expect(exportAuditLog.auth).toBe('moderator')
  await expect(site.db`delete from audit_log`).rejects.toThrow('append-only')
  await expect(site.db`update audit_log set note = ''`).rejects.toThrow('append-only')
})

test('moderators get statistics, and everyone monthly counts without names', async () => {
  expect(await site.call(getStatistics, { query: {} }, mod)).toMatchObject({
    days: 30,
    open: 0,
    decided: 0,
    median_seconds: null,
    upheld_rate: null,
  })
  const { months } = await site.call(getModerationCounts, {})
  expect(months).toHaveLength(12)
  expect(months[0]).toMatchObject({ suspensions: 1, bans: 1, appeals: 1, reports: 0 })
  expect(JSON.stringify(months)).not.toMatch(/ana|mod/)
})

test('the history of a user contains their latest comments with a bookmark of the video', async () => {
  const saved = await saveFilm(site, other, 'talked-about')
  const comment = { params: { id: saved.video.id }, body: { content: 'Lovely colours' } }
  const { id } = await site.call(createComment, comment, ana)
  const record = await site.call(getUserHistory, { params: { username: ana.username } }, mod)
  expect(record.recent_comments[0]).toMatchObject({
    id,
    video_id: saved.video.id,
    bookmark_id: saved.id,
    content: 'Lovely colours',
  })
})
