import { listCollections } from '@reelmark/contract/collections.ts'
import { limits } from '@reelmark/contract/limits.ts'
import { act, renderHook } from '@testing-library/react'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api } from './api.ts'
import { leaveThrough } from './leave.ts'
import { hasSession, signIn, signOut, startSession, useSession } from './session.ts'
import { getSession, onIdentityChange, storedTokens, storeUser } from './session-store.ts'
import { countOf, fakeApi } from './testing/fake-api.ts'
import { aProfile, freshBrowser, signedInAs } from './testing/fake-session.ts'

const day = 24 * 60 * 60 * 1000
const stored = ['access', 'refresh', 'token_expiry', 'user', 'username']
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

let left: string[] = []
let undo: (() => void)[] = []

beforeEach(() => {
  freshBrowser()
  left = []
  undo = [leaveThrough((path) => left.push(path))]
})
afterEach(() => {
  for (const step of undo.splice(0)) step()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function start(): void {
  undo.push(startSession())
}

/** A server where every login and refresh works, and alice is a moderator. */
function aServer() {
  return fakeApi(({ path }) => {
    if (path === '/token/') return [200, { access: 'access-1', refresh: 'refresh-1' }]
    if (path === '/token/refresh/') return [200, { access: 'access-2', refresh: 'refresh-2' }]
    if (path.startsWith('/profile/')) return [200, aProfile('Alice', { is_moderator: true })]
    return [200, {}]
  })
}

test('signing in stores the five keys for a week, and the profile says who one is', async () => {
  const requests = aServer()
  await signIn(' alice ', 'secret words', true)
  expect(requests[0]?.body).toEqual({ username: 'alice', password: 'secret words', remember: true })
  expect(Object.keys(localStorage).sort()).toEqual(stored)
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
  aServer()
  await signIn('alice', 'secret words', false)
  expect(Object.keys(localStorage)).toEqual([])
  expect(Object.keys(sessionStorage).sort()).toEqual(stored)
  const end = Date.parse(sessionStorage.getItem('token_expiry') ?? '')
  expect(Math.abs(end - Date.now() - day)).toBeLessThan(60_000)
})

test('who logs in by e-mail is known by the name that the server tells', async () => {
  const requests = fakeApi(({ path }) =>
    path === '/token/' ? [200, { access: 'a', refresh: 'r', username: 'Alice' }] : [200, aProfile('Alice')],
  )
  await signIn('alice@a.example', 'secret words', true)
  expect(requests[1]?.path).toBe('/profile/Alice/')
  expect(getSession()).toMatchObject({ username: 'Alice', user: { id: 7 } })
})

test('a failed login clears what was there', async () => {
  signedInAs('bob')
  fakeApi(() => [401, { detail: 'Invalid username or password.' }])
  await expect(signIn('alice', 'wrong', true)).rejects.toMatchObject({ status: 401 })
  expect(Object.keys(localStorage)).toEqual([])
  expect(getSession().status).toBe('signed-out')
})

test('a profile that cannot be had does not spoil the login', async () => {
  fakeApi(({ path }) =>
    path === '/token/' ? [200, { access: 'a', refresh: 'r', username: 'alice' }] : [503, {}],
  )
  await signIn('alice', 'secret words', true)
  expect(getSession()).toMatchObject({ status: 'signed-in', username: 'alice', user: null })
})

test.for([['answers'], ['fails'], ['is gone']])(
  'signing out clears everything and goes home when the server %s',
  async ([how]) => {
    signedInAs('alice')
    const requests = fakeApi(() => (how === 'answers' ? [200, {}] : how === 'fails' ? [500, {}] : 'offline'))
    await signOut()
    expect(requests[0]).toMatchObject({ path: '/token/blacklist/', body: { refresh: 'refresh-1' } })
    expect(Object.keys(localStorage)).toEqual([])
    expect(getSession().status).toBe('signed-out')
    expect(left).toEqual(['/'])
  },
)

test('what is asked for while one signs out is refused, and leads nowhere else than home', async () => {
  signedInAs('alice')
  let refused: Promise<unknown> = Promise.resolve()
  fakeApi(async ({ path }) => {
    if (path !== '/token/blacklist/') return [401, { detail: 'The token is invalid or has expired.' }]
    // The server has ended the session, and its answer is on the way.
    refused = api(listCollections, { query: {} }).catch(({ status }) => status)
    expect(await refused).toBe(401)
    return [200, {}]
  })
  await signOut()
  expect(await refused).toBe(401)
  expect(left).toEqual(['/'])
})

test('at the start an expired session is refreshed, and its end moves on', async () => {
  signedInAs('alice')
  localStorage.setItem('token_expiry', inMs(-1000))
  const requests = aServer()
  start()
  await vi.waitFor(() => expect(storedTokens()?.access).toBe('access-2'))
  expect(countOf(requests, '/token/refresh/')).toBe(1)
  expect(Date.parse(localStorage.getItem('token_expiry') ?? '')).toBeGreaterThan(Date.now() + 6 * day)
})

test('at the start a session that cannot be refreshed is cleared, and nobody is sent anywhere', async () => {
  signedInAs('alice')
  localStorage.removeItem('token_expiry')
  fakeApi(() => [401, { detail: 'The token is invalid or has expired.' }])
  start()
  await vi.waitFor(() => expect(getSession().status).toBe('signed-out'))
  expect(Object.keys(localStorage)).toEqual([])
  expect(left).toEqual([])
})

test('at the start a missing user is fetched by the stored name', async () => {
  signedInAs('alice')
  localStorage.removeItem('user')
  const requests = aServer()
  start()
  await vi.waitFor(() => expect(localStorage.getItem('user')).not.toBeNull())
  expect(requests.map(({ path }) => path)).toEqual(['/profile/alice/'])
})

test('a session with time left and a known user starts without a call', async () => {
  signedInAs('alice')
  const requests = aServer()
  start()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(requests).toEqual([])
})

test.for([
  ['under 5 minutes are left', 4.9, 1],
  ['more is left', 5.1, 0],
] as const)('a guard refreshes when %s', async ([, minutes, refreshes]) => {
  signedInAs('alice')
  localStorage.setItem('token_expiry', inMs(minutes * 60_000))
  const requests = aServer()
  expect(await hasSession()).toBe(true)
  expect(countOf(requests, '/token/refresh/')).toBe(refreshes)
})

test('one token alone is no session', async () => {
  localStorage.setItem('access', 'access-1')
  expect(await hasSession()).toBe(false)
})

test('every hour a remembered session near its end is refreshed, one that is not remembered is left', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  signedInAs('alice')
  const requests = aServer()
  start()
  localStorage.setItem('token_expiry', inMs(limits.refreshCheckSeconds * 1000 + 60_000))
  await vi.advanceTimersByTimeAsync(limits.refreshCheckSeconds * 1000)
  await vi.waitFor(() => expect(countOf(requests, '/token/refresh/')).toBe(1))

  signedInAs('alice', { remember: false })
  sessionStorage.setItem('token_expiry', inMs(limits.refreshCheckSeconds * 1000 + 60_000))
  await vi.advanceTimersByTimeAsync(limits.refreshCheckSeconds * 1000)
  expect(countOf(requests, '/token/refresh/')).toBe(1)
})

test('a sign-out in another tab signs out here, and a sign-in signs in', () => {
  signedInAs('alice')
  start()
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
  const heard = vi.fn()
  undo.push(onIdentityChange(heard))
  signedInAs('alice')
  expect(heard).toHaveBeenCalledTimes(1)
  storeUser(aProfile('Alice', { bio: 'new' }))
  expect(heard).toHaveBeenCalledTimes(1)
  fakeApi(() => [200, {}])
  await signOut()
  expect(heard).toHaveBeenCalledTimes(2)
})

test('the server renders an unknown session, whatever this browser holds', () => {
  signedInAs('alice')
  const Who = () => useSession().status
  expect(renderToString(createElement(Who))).toBe('unknown')
})

test('a user that cannot be read is no user, and a listed role makes a moderator', () => {
  signedInAs('alice')
  localStorage.setItem('user', '{broken')
  start()
  window.dispatchEvent(new StorageEvent('storage', { key: 'user' }))
  expect(getSession()).toMatchObject({ status: 'signed-in', user: null })
  localStorage.setItem('user', JSON.stringify({ id: 7, username: 'alice', roles: ['moderator'] }))
  window.dispatchEvent(new StorageEvent('storage', { key: 'user' }))
  expect(getSession().isModerator).toBe(true)
})

test('a storage that refuses leaves a session for as long as the page lives', () => {
  vi.stubGlobal('localStorage', undefined)
  signedInAs('alice')
  expect(getSession()).toMatchObject({ status: 'signed-in', username: 'alice' })
})
