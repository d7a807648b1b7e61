import { listCollections } from '@reelmark/contract/collections.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { act, renderHook } from '@testing-library/react'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { countRequests, fakeApi } from '../../testing/fake-api.ts'
import { signInAs, testProfile } from '../../testing/fake-session.ts'
import { api } from '../api/api.ts'
import { expiresInMs, resetTabForEachTest, startFakeServer, storedSession } from './session.fixture.ts'
import { hasSession, signOut, useSession } from './session.ts'
import { getSession, onIdentityChange, storedTokens, storeUser } from './session-store.ts'
import { signInWithPassword } from './sign-in.ts'

const day = 24 * 60 * 60 * 1000
const { visitedPaths, cleanups, startTestSession } = resetTabForEachTest()

test('signing in stores five keys for a week, and the profile identifies the user', async () => {
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

test('a session that is not remembered lasts a day, in this tab only', async () => {
  startFakeServer()
  await signInWithPassword('alice', 'secret words', false)
  expect(Object.keys(localStorage)).toEqual([])
  expect(Object.keys(sessionStorage).sort()).toEqual(storedSession)
  const end = Date.parse(sessionStorage.getItem('token_expiry') ?? '')
  expect(Math.abs(end - Date.now() - day)).toBeLessThan(60_000)
})

test('logging in with an email address stores the username from the response', async () => {
  const requests = fakeApi(({ path }) =>
    path === '/token/'
      ? [200, { access: 'a', refresh: 'r', username: 'Alice' }]
      : [200, testProfile('Alice')],
  )
  await signInWithPassword('alice@a.example', 'secret words', true)
  expect(requests[1]?.path).toBe('/profile/Alice/')
  expect(getSession()).toMatchObject({ username: 'Alice', user: { id: 7 } })
})

test('a failed login clears the previous session', async () => {
  signInAs('bob')
  fakeApi(() => [401, { detail: 'Invalid username or password.', code: 'wrong-credentials' }])
  await expect(signInWithPassword('alice', 'wrong', true)).rejects.toMatchObject({ status: 401 })
  expect(Object.keys(localStorage)).toEqual([])
  expect(getSession().status).toBe('signed-out')
})

test('signing in succeeds even if the profile cannot be fetched', async () => {
  fakeApi(({ path }) =>
    path === '/token/' ? [200, { access: 'a', refresh: 'r', username: 'alice' }] : [503, {}],
  )
  await signInWithPassword('alice', 'secret words', true)
  expect(getSession()).toMatchObject({ status: 'signed-in', username: 'alice', user: null })
})

test.for([['responds'], ['fails'], ['is unreachable']])(
  'signing out clears the session and goes to the home page if the server %s',
  async ([how]) => {
    signInAs('alice')
    const requests = fakeApi(() => (how === 'responds' ? [200, {}] : how === 'fails' ? [500, {}] : 'offline'))
    await signOut()
    expect(requests[0]).toMatchObject({ path: '/token/blacklist/', body: { refresh: 'refresh-1' } })
    expect(Object.keys(localStorage)).toEqual([])
    expect(getSession().status).toBe('signed-out')
    expect(visitedPaths).toEqual(['/'])
  },
)

test('requests refused during sign-out do not redirect to the login page', async () => {
  signInAs('alice')
  let refused: Promise<unknown> = Promise.resolve()
  fakeApi(async ({ path }) => {
    if (path !== '/token/blacklist/')
      return [401, { detail: 'The token is invalid or has expired.', code: 'invalid-token' }]
    // The server has ended the session, but its response has not arrived yet.
    refused = api(listCollections, { query: {} }).catch(({ status }) => status)
    expect(await refused).toBe(401)
    return [200, {}]
  })
  await signOut()
  expect(await refused).toBe(401)
  expect(visitedPaths).toEqual(['/'])
})

test('at startup an expired session is refreshed and extended', async () => {
  signInAs('alice')
  localStorage.setItem('token_expiry', expiresInMs(-1000))
  const requests = startFakeServer()
  startTestSession()
  await vi.waitFor(() => expect(storedTokens()?.access).toBe('access-2'))
  expect(countRequests(requests, '/token/refresh/')).toBe(1)
  expect(Date.parse(localStorage.getItem('token_expiry') ?? '')).toBeGreaterThan(Date.now() + 6 * day)
})

test('at startup a session that cannot be refreshed is cleared without a redirect', async () => {
  signInAs('alice')
  localStorage.removeItem('token_expiry')
  fakeApi(() => [401, { detail: 'The token is invalid or has expired.', code: 'invalid-token' }])
  startTestSession()
  await vi.waitFor(() => expect(getSession().status).toBe('signed-out'))
  expect(Object.keys(localStorage)).toEqual([])
  expect(visitedPaths).toEqual([])
})

test('at startup a missing user is fetched by the stored name', async () => {
  signInAs('alice')
  localStorage.removeItem('user')
  const requests = startFakeServer()
  startTestSession()
  await vi.waitFor(() => expect(localStorage.getItem('user')).not.toBeNull())
  expect(requests.map(({ path }) => path)).toEqual(['/profile/alice/'])
})

test('a session with time left and a known user starts without a request', async () => {
  signInAs('alice')
  const requests = startFakeServer()
  startTestSession()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(requests).toEqual([])
})

test.for([
  ['under 5 minutes are left', 4.9, 1],
  ['more than 5 minutes are left', 5.1, 0],
] as const)('a page guard sends the expected number of refreshes when %s', async ([, minutes, refreshes]) => {
  signInAs('alice')
  localStorage.setItem('token_expiry', expiresInMs(minutes * 60_000))
  const requests = startFakeServer()
  expect(await hasSession()).toBe(true)
  expect(countRequests(requests, '/token/refresh/')).toBe(refreshes)
})

test('a single token is not a session', async () => {
  localStorage.setItem('access', 'access-1')
  expect(await hasSession()).toBe(false)
})

test('a remembered session about to expire is refreshed every hour, any other is not', async () => {
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

test('a sign-in or sign-out in another tab takes effect here', () => {
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

test('a new username in another tab takes effect here, and the user remains the same', () => {
  signInAs('alice', { profile: { bio: 'About me' } })
  sessionStorage.setItem('filters', 'of this tab')
  startTestSession()
  const onChange = vi.fn()
  cleanups.push(onIdentityChange(onChange))
  const { result } = renderHook(() => useSession())
  act(() => {
    const stored = JSON.parse(localStorage.getItem('user') ?? '')
    const renamed = { ...stored, username: 'anna', profile: { ...stored.profile, username: 'anna' } }
    localStorage.setItem('user', JSON.stringify(renamed))
    localStorage.setItem('username', 'anna')
    window.dispatchEvent(new StorageEvent('storage', { key: 'user' }))
  })
  expect(result.current).toMatchObject({
    username: 'anna',
    user: { username: 'anna', profile: { username: 'anna', bio: 'About me' } },
  })
  expect(onChange).not.toHaveBeenCalled()
  expect(sessionStorage.getItem('filters')).toBe('of this tab')
})

test('identity listeners run at sign-in and sign-out, but not when the profile changes', async () => {
  const onChange = vi.fn()
  cleanups.push(onIdentityChange(onChange))
  signInAs('alice')
  expect(onChange).toHaveBeenCalledTimes(1)
  storeUser(testProfile('Alice', { bio: 'new' }))
  expect(onChange).toHaveBeenCalledTimes(1)
  fakeApi(() => [200, {}])
  await signOut()
  expect(onChange).toHaveBeenCalledTimes(2)
})

test('the server renders an unknown session, even if one is stored', () => {
  signInAs('alice')
  const Status = () => useSession().status
  expect(renderToString(createElement(Status))).toBe('unknown')
})

test('an unreadable user is ignored, and the role moderator makes the user a moderator', () => {
  signInAs('alice')
  localStorage.setItem('user', '{broken')
  startTestSession()
  window.dispatchEvent(new StorageEvent('storage', { key: 'user' }))
  expect(getSession()).toMatchObject({ status: 'signed-in', user: null })
  localStorage.setItem('user', JSON.stringify({ id: 7, username: 'alice', roles: ['moderator'] }))
  window.dispatchEvent(new StorageEvent('storage', { key: 'user' }))
  expect(getSession().isModerator).toBe(true)
})

test('without local storage, the session lasts as long as the page', () => {
  vi.stubGlobal('localStorage', undefined)
  signInAs('alice')
  expect(getSession()).toMatchObject({ status: 'signed-in', username: 'alice' })
})
