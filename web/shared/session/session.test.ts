import { listCollections } from '@reelmark/contract/collections.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { act, renderHook } from '@testing-library/react'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { countRequests, fakeApi } from '../../testing/fake-api.ts'
import { resetBrowser, signInAs, testProfile } from '../../testing/fake-session.ts'
import { api } from '../api/api.ts'
import { setRedirector } from './redirects.ts'
import { hasSession, signInWithPassword, signOut, startSession, useSession } from './session.ts'
import { getSession, onIdentityChange, storedTokens, storeUser } from './session-store.ts'

const day = 24 * 60 * 60 * 1000
const storedSession = ['access', 'refresh', 'token_expiry', 'user', 'username']
const expiresInMs = (ms: number) => new Date(Date.now() + ms).toISOString()

let visitedPaths: string[] = []
let restoreRedirector: (() => void)[] = []

beforeEach(() => {
  resetBrowser()
  visitedPaths = []
  restoreRedirector = [setRedirector((path) => visitedPaths.push(path))]
})
afterEach(() => {
  for (const step of restoreRedirector.splice(0)) step()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function startTestSession(): void {
  restoreRedirector.push(startSession())
}

/** A server where every login and refresh works, and alice is a moderator. */
function startFakeServer() {
  return fakeApi(({ path }) => {
    if (path === '/token/') return [200, { access: 'access-1', refresh: 'refresh-1' }]
    if (path === '/token/refresh/') return [200, { access: 'access-2', refresh: 'refresh-2' }]
    if (path.startsWith('/profile/')) return [200, testProfile('Alice', { is_moderator: true })]
    return [200, {}]
  })
}

test('signing in stores the five keys for a week, and the profile says who one is', async () => {
  const requests = startFakeServer()
  await signInWithPassword(' alice ', 'secret words', true)
  expect(requests[0]?.body).toEqual({ username: 'alice', password: 'secret words', remember: true })
  expect(Object.keys(localStorage).sort()).toEqual(storedSession)
  expect(Object.keys(sessionStorage)).toEqual([])
  const end = Date.parse(localStorage.getItem('token_expiry') ?? '')
  expect(Math.abs(end - Date.now() - 7 * day)).toBeLessThan(60_000)
  expect(JSON.parse(localStorage.getItem('user') ?? '')).toMatchObject({
    id: 7,
    username: 'Alice',
    is_moderator: true,
  })
  expect(getSession()).toMatchObject({ status: 'signed-in', username: 'Alice', isModerator: true })
})

test('not to be remembered, the session is kept for this tab and a day', async () => {
  startFakeServer()
  await signInWithPassword('alice', 'secret words', false)
  expect(Object.keys(localStorage)).toEqual([])
  expect(Object.keys(sessionStorage).sort()).toEqual(storedSession)
  const end = Date.parse(sessionStorage.getItem('token_expiry') ?? '')
  expect(Math.abs(end - Date.now() - day)).toBeLessThan(60_000)
})

test('who logs in by e-mail is known by the name that the server tells', async () => {
  const requests = fakeApi(({ path }) =>
    path === '/token/'
      ? [200, { access: 'a', refresh: 'r', username: 'Alice' }]
      : [200, testProfile('Alice')],
  )
  await signInWithPassword('alice@a.example', 'secret words', true)
  expect(requests[1]?.path).toBe('/profile/Alice/')
  expect(getSession()).toMatchObject({ username: 'Alice', user: { id: 7 } })
})

test('a failed login clears what was there', async () => {
  signInAs('bob')
  fakeApi(() => [401, { detail: 'Invalid username or password.', code: 'wrong-credentials' }])
  await expect(signInWithPassword('alice', 'wrong', true)).rejects.toMatchObject({ status: 401 })
  expect(Object.keys(localStorage)).toEqual([])
  expect(getSession().status).toBe('signed-out')
})

test('a profile that cannot be had does not spoil the login', async () => {
  fakeApi(({ path }) =>
    path === '/token/' ? [200, { access: 'a', refresh: 'r', username: 'alice' }] : [503, {}],
  )
  await signInWithPassword('alice', 'secret words', true)
  expect(getSession()).toMatchObject({ status: 'signed-in', username: 'alice', user: null })
})

test.for([['answers'], ['fails'], ['is gone']])(
  'signing out clears everything and goes home when the server %s',
  async ([how]) => {
    signInAs('alice')
    const requests = fakeApi(() => (how === 'answers' ? [200, {}] : how === 'fails' ? [500, {}] : 'offline'))
    await signOut()
    expect(requests[0]).toMatchObject({ path: '/token/blacklist/', body: { refresh: 'refresh-1' } })
    expect(Object.keys(localStorage)).toEqual([])
    expect(getSession().status).toBe('signed-out')
    expect(visitedPaths).toEqual(['/'])
  },
)

test('what is asked for while one signs out is refused, and leads nowhere else than home', async () => {
  signInAs('alice')
  let refused: Promise<unknown> = Promise.resolve()
  fakeApi(async ({ path }) => {
    if (path !== '/token/blacklist/')
      return [401, { detail: 'The token is invalid or has expired.', code: 'invalid-token' }]
    // The server has ended the session, and its answer is on the way.
    refused = api(listCollections, { query: {} }).catch(({ status }) => status)
    expect(await refused).toBe(401)
    return [200, {}]
  })
  await signOut()
  expect(await refused).toBe(401)
  expect(visitedPaths).toEqual(['/'])
})

test('at the start an expired session is refreshed, and its end moves on', async () => {
  signInAs('alice')
  localStorage.setItem('token_expiry', expiresInMs(-1000))
  const requests = startFakeServer()
  startTestSession()
  await vi.waitFor(() => expect(storedTokens()?.access).toBe('access-2'))
  expect(countRequests(requests, '/token/refresh/')).toBe(1)
  expect(Date.parse(localStorage.getItem('token_expiry') ?? '')).toBeGreaterThan(Date.now() + 6 * day)
})

test('at the start a session that cannot be refreshed is cleared, and nobody is sent anywhere', async () => {
  signInAs('alice')
  localStorage.removeItem('token_expiry')
  fakeApi(() => [401, { detail: 'The token is invalid or has expired.', code: 'invalid-token' }])
  startTestSession()
  await vi.waitFor(() => expect(getSession().status).toBe('signed-out'))
  expect(Object.keys(localStorage)).toEqual([])
  expect(visitedPaths).toEqual([])
})

test('at the start a missing user is fetched by the stored name', async () => {
  signInAs('alice')
  localStorage.removeItem('user')
  const requests = startFakeServer()
  startTestSession()
  await vi.waitFor(() => expect(localStorage.getItem('user')).not.toBeNull())
  expect(requests.map(({ path }) => path)).toEqual(['/profile/alice/'])
})

test('a session with time left and a known user starts without a call', async () => {
  signInAs('alice')
  const requests = startFakeServer()
  startTestSession()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(requests).toEqual([])
})

test.for([
  ['under 5 minutes are left', 4.9, 1],
  ['more is left', 5.1, 0],
] as const)('a guard refreshes when %s', async ([, minutes, refreshes]) => {
  signInAs('alice')
  localStorage.setItem('token_expiry', expiresInMs(minutes * 60_000))
  const requests = startFakeServer()
  expect(await hasSession()).toBe(true)
  expect(countRequests(requests, '/token/refresh/')).toBe(refreshes)
})

test('one token alone is no session', async () => {
  localStorage.setItem('access', 'access-1')
  expect(await hasSession()).toBe(false)
})

test('every hour a remembered session near its end is refreshed, one that is not remembered is left', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  signInAs('alice')
  const requests = startFakeServer()
  startTestSession()
  localStorage.setItem('token_expiry', expiresInMs(limits.refreshCheckSeconds * 1000 + 60_000))
  await vi.advanceTimersByTimeAsync(limits.refreshCheckSeconds * 1000)
  await vi.waitFor(() => expect(countRequests(requests, '/token/refresh/')).toBe(1))

  signInAs('alice', { remember: false })
  sessionStorage.setItem('token_expiry', expiresInMs(limits.refreshCheckSeconds * 1000 + 60_000))
  await vi.advanceTimersByTimeAsync(limits.refreshCheckSeconds * 1000)
  expect(countRequests(requests, '/token/refresh/')).toBe(1)
})

test('a sign-out in another tab signs out here, and a sign-in signs in', () => {
  signInAs('alice')
  startTestSession()
  const { result } = renderHook(() => useSession())
  expect(result.current.status).toBe('signed-in')

  act(() => {
    localStorage.clear()
    window.dispatchEvent(new StorageEvent('storage', { key: 'access' }))
  })
  expect(result.current.status).toBe('signed-out')

  act(() => {
    localStorage.setItem('access', 'a')
    localStorage.setItem('refresh', 'r')
    localStorage.setItem('username', 'bob')
    window.dispatchEvent(new StorageEvent('storage', { key: 'username' }))
  })
  expect(result.current).toMatchObject({ status: 'signed-in', username: 'bob' })
})

test('who listens for another person hears of sign-in and sign-out, not of a profile that changed', async () => {
  const heardChanges = vi.fn()
  restoreRedirector.push(onIdentityChange(heardChanges))
  signInAs('alice')
  expect(heardChanges).toHaveBeenCalledTimes(1)
  storeUser(testProfile('Alice', { bio: 'new' }))
  expect(heardChanges).toHaveBeenCalledTimes(1)
  fakeApi(() => [200, {}])
  await signOut()
  expect(heardChanges).toHaveBeenCalledTimes(2)
})

test('the server renders an unknown session, whatever this browser holds', () => {
  signInAs('alice')
  const Who = () => useSession().status
  expect(renderToString(createElement(Who))).toBe('unknown')
})

test('a user that cannot be read is no user, and a listed role makes a moderator', () => {
  signInAs('alice')
  localStorage.setItem('user', '{broken')
  startTestSession()
  window.dispatchEvent(new StorageEvent('storage', { key: 'user' }))
  expect(getSession()).toMatchObject({ status: 'signed-in', user: null })
  localStorage.setItem('user', JSON.stringify({ id: 7, username: 'alice', roles: ['moderator'] }))
  window.dispatchEvent(new StorageEvent('storage', { key: 'user' }))
  expect(getSession().isModerator).toBe(true)
})

test('a storage that refuses leaves a session for as long as the page lives', () => {
  vi.stubGlobal('localStorage', undefined)
  signInAs('alice')
  expect(getSession()).toMatchObject({ status: 'signed-in', username: 'alice' })
})
