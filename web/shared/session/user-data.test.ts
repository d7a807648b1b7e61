/** What a user leaves in the browser, and what is removed when the session ends. */
import { listCollections } from '@reelmark/contract/collections.ts'
import { expect, test, vi } from 'vitest'
import { fakeApi } from '../../testing/fake-api.ts'
import { resetBrowser, signInAs, testProfile } from '../../testing/fake-session.ts'
import { api } from '../api/api.ts'
import { expiresInMs, resetTabForEachTest, startFakeServer, storedSession } from './session.fixture.ts'
import { hasSession, signOut } from './session.ts'
import { getSession } from './session-store.ts'
import { signInWithPassword } from './sign-in.ts'

const { visitedPaths, startTestSession } = resetTabForEachTest()

/** Returns an access token of a session, readable but not signed. */
const tokenOf = (sid: string) => `x.${btoa(JSON.stringify({ sid }))}.x`

const privateProfile = {
  email: 'alice@example.com',
  bio: 'About me',
  bookmarks_count: 4711,
  collections: [{ id: 8_150_815, name: 'Secret' }] as never,
  default_bookmark_orientation: 'trans',
  default_bookmark_collection: 8_150_815,
  notify_by_email: 'weekly',
  suspended_until: '2031-01-01T00:00:00Z',
} as const

/** Enters and chooses what a user can leave in the browser. */
function leaveTraces(): void {
  localStorage.setItem('orientation', 'gay')
  localStorage.setItem('last-destination', '{"collection":8150815}')
  localStorage.setItem('a-key-added-later', 'x')
  sessionStorage.setItem('draft:alice:comment-5', '{"content":"secret"}')
  sessionStorage.setItem('second-factor-later', 'yes')
  sessionStorage.setItem('oidc', '{"state":"x"}')
  for (const key of deviceSettings) localStorage.setItem(key, 'x')
}
const deviceSettings = [
  'adult-confirmed',
  'autoplay-next',
  'motion',
  'recruiting-banner',
  'single-keys',
  'theme',
]

function expectNoTraces(): void {
  expect(Object.keys(localStorage).sort()).toEqual(deviceSettings)
  expect(Object.keys(sessionStorage)).toEqual([])
}

test.for([true, false])('the device stores no private field of the profile (remembered: %s)', (remember) => {
  signInAs('alice', { remember, profile: privateProfile })
  const stored = JSON.stringify([{ ...localStorage }, { ...sessionStorage }])
  for (const value of ['example.com', 'About me', '4711', '8150815', 'trans', 'weekly', '2031']) {
    expect(stored).not.toContain(value)
  }
  // This page has them in memory.
  expect(getSession().user?.profile).toMatchObject(privateProfile)
})

test('a new page fetches the private fields of the profile, and only once', async () => {
  signInAs('alice', { profile: privateProfile })
  const stored = { ...localStorage }
  resetBrowser()
  for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value)
  const requests = fakeApi(() => [200, testProfile('alice', privateProfile)])
  startTestSession()
  expect(getSession().user?.profile.default_bookmark_collection).toBeUndefined()
  await vi.waitFor(() => expect(getSession().user?.profile.default_bookmark_collection).toBe(8_150_815))
  expect(requests.map(({ path }) => path)).toEqual(['/profile/alice/'])
})

test.for([true, false])('signing out removes everything of the user (remembered: %s)', async (remember) => {
  signInAs('alice', { remember })
  leaveTraces()
  fakeApi(() => [200, {}])
  await signOut()
  expectNoTraces()
})

test('a session that the server has ended, as by a ban, leaves nothing of the user', async () => {
  signInAs('alice')
  localStorage.setItem('access', 'access-of-a-banned-user')
  leaveTraces()
  fakeApi(() => [401, { detail: 'The token is invalid or has expired.', code: 'invalid-token' }])
  await api(listCollections, { query: {} }).catch(() => undefined)
  expect(visitedPaths).toEqual(['/login?redirect=%2F'])
  expectNoTraces()
})

test('what the user entered survives a failure of the network or server', async () => {
  signInAs('alice')
  leaveTraces()
  localStorage.setItem('token_expiry', expiresInMs(-1000))
  for (const reply of ['offline', [503, {}], [429, {}]] as const) {
    fakeApi(() => reply as never)
    expect(await hasSession()).toBe(true)
  }
  expect(sessionStorage.getItem('draft:alice:comment-5')).not.toBeNull()
  expect(localStorage.getItem('last-destination')).not.toBeNull()
})

test('what the user is writing survives a session that runs out, for the same user in the same tab', async () => {
  signInAs('alice')
  leaveTraces()
  localStorage.setItem('token_expiry', expiresInMs(-1000))
  fakeApi(() => [401, { detail: 'The token is invalid or has expired.', code: 'invalid-token' }])
  expect(await hasSession()).toBe(false)
  expect(Object.keys(sessionStorage)).toEqual(['draft:alice:comment-5'])
  expect(Object.keys(localStorage).sort()).toEqual(deviceSettings)
  signInAs('Alice')
  expect(Object.keys(sessionStorage)).toEqual(['draft:alice:comment-5'])
})

test('what a user was writing when the session ran out is removed when another user logs in', async () => {
  signInAs('alice')
  leaveTraces()
  localStorage.setItem('token_expiry', expiresInMs(-1000))
  fakeApi(() => [401, { detail: 'The token is invalid or has expired.', code: 'invalid-token' }])
  await hasSession()
  signInAs('bob')
  expect(Object.keys(sessionStorage)).toEqual([])
})

test('links to save survive a session that runs out, for the same user in any tab', async () => {
  signInAs('alice')
  localStorage.setItem('draft:alice:add-bookmark-links', '{"text":"secret"}')
  localStorage.setItem('token_expiry', expiresInMs(-1000))
  fakeApi(() => [401, { detail: 'The token is invalid or has expired.', code: 'invalid-token' }])
  expect(await hasSession()).toBe(false)
  startFakeServer()
  await signInWithPassword('alice', 'secret words', true)
  expect(localStorage.getItem('draft:alice:add-bookmark-links')).not.toBeNull()
  localStorage.setItem('token_expiry', expiresInMs(-1000))
  fakeApi(() => [401, { detail: 'The token is invalid or has expired.', code: 'invalid-token' }])
  expect(await hasSession()).toBe(false)
  localStorage.setItem('orientation', 'trans')
  signInAs('bob')
  expect(localStorage.getItem('draft:alice:add-bookmark-links')).toBeNull()
  expect(localStorage.getItem('orientation')).toBe('trans')
})

test('what a visitor entered survives a login, also one that fails first', async () => {
  leaveTraces()
  fakeApi(() => [401, { detail: 'Invalid username or password.', code: 'wrong-credentials' }])
  await signInWithPassword('alice', 'wrong', true).catch(() => undefined)
  startFakeServer()
  await signInWithPassword('alice', 'secret words', true)
  expect(sessionStorage.getItem('draft:alice:comment-5')).not.toBeNull()
})

test('a login as another user removes what the previous one left', async () => {
  signInAs('bob')
  leaveTraces()
  startFakeServer()
  await signInWithPassword('alice', 'secret words', true)
  expect(Object.keys(localStorage).sort()).toEqual([...storedSession, ...deviceSettings].sort())
  expect(Object.keys(sessionStorage)).toEqual([])
})

test('a sign-out in another tab removes what the user entered in this one', () => {
  signInAs('alice')
  startTestSession()
  leaveTraces()
  for (const key of storedSession) localStorage.removeItem(key)
  window.dispatchEvent(new StorageEvent('storage', { key: 'refresh' }))
  expect(getSession().status).toBe('signed-out')
  expect(Object.keys(sessionStorage)).toEqual([])
})

test('a sign-out in another tab ends the copy of its session in the session storage of this tab', () => {
  signInAs('alice', { remember: false })
  sessionStorage.setItem('access', tokenOf('12'))
  startTestSession()
  leaveTraces()
  const announce = (newValue: string | null) =>
    window.dispatchEvent(new StorageEvent('storage', { key: 'session-end', newValue }))
  announce('13')
  announce('')
  announce(null)
  expect(getSession().status).toBe('signed-in')
  announce('12')
  expect(getSession().status).toBe('signed-out')
  expectNoTraces()
})

test('the end of a session is announced to other tabs by its id, which does not stay on the device', async () => {
  signInAs('alice', { remember: false })
  sessionStorage.setItem('access', tokenOf('12'))
  const setItem = vi.spyOn(Storage.prototype, 'setItem')
  fakeApi(() => [200, {}])
  await signOut()
  expect(setItem).toHaveBeenCalledWith('session-end', '12')
  setItem.mockRestore()
  expect(Object.keys(localStorage)).toEqual([])
})
