import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { listCollections } from '@reelmark/contract/collections.ts'
import { getSignInMethods } from '@reelmark/contract/identities.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { countRequests, type FakeAnswer, type FakeRequest, fakeApi } from '../../testing/fake-api.ts'
import { resetBrowser, signInAs } from '../../testing/fake-session.ts'
import { setRedirector } from '../session/redirects.ts'
import { clearSession, storedTokens } from '../session/session-store.ts'
import { api } from './api.ts'

const empty = { count: 0, next: null, previous: null, results: [] }
const body = { video: { source_url: 'https://a.example/v', title: 'A' }, bookmark: { channel_id: 1 } }

let visitedPaths: string[] = []
let restoreRedirector = () => {}

beforeEach(() => {
  resetBrowser()
  visitedPaths = []
  restoreRedirector = setRedirector((path) => visitedPaths.push(path))
})
afterEach(() => {
  restoreRedirector()
  vi.unstubAllGlobals()
})

/** Starts a server that accepts only `access-2` and exchanges `refresh-1` for it. */
function serverWithExpiredToken({ refreshAnswer }: { refreshAnswer?: FakeAnswer } = {}) {
  return fakeApi(async (request) => {
    // Responds a moment later, as a real server does.
    await new Promise((resolve) => setTimeout(resolve, 1))
    if (request.path === '/token/refresh/')
      return refreshAnswer ?? [200, { access: 'access-2', refresh: 'refresh-2' }]
    return bearer(request) === 'access-2'
      ? [200, empty]
      : [401, { detail: 'The token is invalid or has expired.', code: 'invalid-token' }]
  })
}

function bearer(request: FakeRequest): string | undefined {
  return request.headers.authorization?.replace('Bearer ', '')
}

test('a visitor’s request carries no token, and a 401 response is a plain error', async () => {
  const requests = fakeApi(() => [
    401,
    { detail: 'Authentication credentials were not provided.', code: 'unauthenticated' },
  ])
  await expect(api(listCollections, { query: {} })).rejects.toMatchObject({ status: 401 })
  expect(requests).toHaveLength(1)
  expect(requests[0]?.headers.authorization).toBeUndefined()
  expect(visitedPaths).toEqual([])
})

test('requests of a signed-in user carry the token, except to endpoints that ignore who asks', async () => {
  signInAs('alice')
  const requests = fakeApi(() => [200, empty])
  await api(listCollections, { query: {} })
  await api(getSignInMethods, {})
  expect(requests.map(bearer)).toEqual(['access-1', undefined])
})

test('fifty simultaneous 401 responses share one refresh, and each request is repeated once', async () => {
  signInAs('alice')
  const requests = serverWithExpiredToken()
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, page) => api(listCollections, { query: { page: page + 1 } })),
  )
  expect(replies).toHaveLength(50)
  expect(countRequests(requests, '/token/refresh/')).toBe(1)
  expect(countRequests(requests, '/collections/')).toBe(100)
  expect(storedTokens()).toEqual({ access: 'access-2', refresh: 'refresh-2' })
  expect(visitedPaths).toEqual([])
})

test('a 401 response that arrives after the refresh uses the new token without another refresh', async () => {
  signInAs('alice')
  let releaseSlowResponse: (() => void) | undefined
  const requests = fakeApi(async (request) => {
    if (request.path === '/token/refresh/') return [200, { access: 'access-2', refresh: 'refresh-2' }]
    if (bearer(request) === 'access-2') return [200, empty]
    if (request.path.includes('page=2')) await new Promise<void>((resolve) => (releaseSlowResponse = resolve))
    return [401, {}]
  })
  const slowRequest = api(listCollections, { query: { page: 2 } })
  await api(listCollections, { query: { page: 1 } })
  releaseSlowResponse?.()
  await slowRequest
  expect(countRequests(requests, '/token/refresh/')).toBe(1)
})

test('a request is repeated only once, and a second 401 ends the session', async () => {
  signInAs('alice')
  window.history.replaceState(null, '', '/users/alice?page=3')
  const requests = fakeApi(({ path }) =>
    path === '/token/refresh/'
      ? [200, { access: 'access-2', refresh: 'refresh-2' }]
      : [401, { detail: 'no' }],
  )
  await expect(api(listCollections, { query: {} })).rejects.toMatchObject({ status: 401 })
  expect(countRequests(requests, '/collections/')).toBe(2)
  expect(countRequests(requests, '/token/refresh/')).toBe(1)
  expect(storedTokens()).toBeNull()
  expect(visitedPaths).toEqual(['/login?redirect=%2Fusers%2Falice%3Fpage%3D3'])
})

test('a refused refresh clears the session and redirects to /login with the way back', async () => {
  signInAs('alice')
  window.history.replaceState(null, '', '/bookmarks/create')
  const requests = serverWithExpiredToken({ refreshAnswer: [401, { detail: 'over' }] })
  await expect(api(listCollections, { query: {} })).rejects.toMatchObject({ status: 401 })
  expect(countRequests(requests, '/collections/')).toBe(1)
  expect(Object.keys(localStorage)).toEqual([])
  expect(visitedPaths).toEqual(['/login?redirect=%2Fbookmarks%2Fcreate'])
})

test('a session that ends at /login does not redirect again', async () => {
  signInAs('alice')
  window.history.replaceState(null, '', '/login?redirect=%2Fsettings')
  serverWithExpiredToken({ refreshAnswer: [401, {}] })
  await expect(api(listCollections, { query: {} })).rejects.toMatchObject({ status: 401 })
  expect(storedTokens()).toBeNull()
  expect(visitedPaths).toEqual([])
})

test.for<[string, FakeAnswer]>([
  ['gets no response', 'offline'],
  ['reaches a server that is down', [503, {}]],
  ['is rate limited', [429, {}]],
])('a refresh that %s does not end the session', async ([, refreshAnswer]) => {
  signInAs('alice')
  serverWithExpiredToken({ refreshAnswer })
  const error = await api(listCollections, { query: {} }).catch((caught: unknown) => caught)
  expect(isCallError(error)).toBe(true)
  expect(storedTokens()).toEqual({ access: 'access-1', refresh: 'refresh-1' })
  expect(visitedPaths).toEqual([])
})

test('a write is repeated after a refresh with the same body and idempotency key', async () => {
  signInAs('alice')
  const requests = fakeApi((request) => {
    if (request.path === '/token/refresh/') return [200, { access: 'access-2', refresh: 'refresh-2' }]
    return bearer(request) === 'access-2' ? [201, { id: 5 }] : [401, {}]
  })
  await expect(api(saveBookmark, { body })).resolves.toMatchObject({ id: 5 })
  const [first, second] = requests.filter(({ path }) => path === '/bookmarks/')
  expect(second?.body).toEqual(body)
  expect(first?.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/)
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key'])
})

test('two saves have different idempotency keys unless the caller passes the same key', async () => {
  signInAs('alice')
  const requests = fakeApi(() => [201, { id: 5 }])
  await api(saveBookmark, { body })
  await api(saveBookmark, { body })
  await api(saveBookmark, { body }, { idempotencyKey: 'k' })
  await api(saveBookmark, { body }, { idempotencyKey: 'k' })
  const keys = requests.map(({ headers }) => headers['idempotency-key'])
  expect(new Set(keys.slice(0, 2)).size).toBe(2)
  expect(keys.slice(2)).toEqual(['k', 'k'])
})

test('a lost connection is an error with status 0', async () => {
  fakeApi(() => 'offline')
  await expect(api(getProfile, { params: { username: 'bob' } })).rejects.toMatchObject({
    name: 'CallError',
    status: 0,
  })
})

test('the error page of a proxy is not used as an error text', async () => {
  vi.stubGlobal('fetch', async () => new Response('<h1>Bad gateway</h1>', { status: 502 }))
  await expect(api(getProfile, { params: { username: 'bob' } })).rejects.toMatchObject({
    status: 502,
    body: null,
  })
})

test('a request aborted by its caller is not reported as a lost connection', async () => {
  const controller = new AbortController()
  fakeApi(() => {
    controller.abort()
    return [200, empty]
  })
  await expect(api(listCollections, { query: {} }, { signal: controller.signal })).rejects.toMatchObject({
    name: 'AbortError',
  })
})

test('a token pair stored by another tab is used instead of refreshing', async () => {
  signInAs('alice')
  const requests = fakeApi((request) => {
    if (bearer(request) === 'access-other-tab') return [200, empty]
    localStorage.setItem('access', 'access-other-tab')
    localStorage.setItem('refresh', 'refresh-other-tab')
    return [401, {}]
  })
  await api(listCollections, { query: {} })
  expect(countRequests(requests, '/token/refresh/')).toBe(0)
})

test('a tab that waited for the lock uses the token pair that another tab stored', async () => {
  signInAs('alice')
  const lockNames: string[] = []
  vi.stubGlobal('navigator', {
    locks: {
      request: async (name: string, task: () => Promise<unknown>) => {
        lockNames.push(name)
        // Another tab refreshed the session while this one waited for the lock.
        localStorage.setItem('access', 'access-2')
        localStorage.setItem('refresh', 'refresh-2')
        return await task()
      },
    },
  })
  const requests = serverWithExpiredToken()
  await api(listCollections, { query: {} })
  expect(lockNames).toEqual(['reelmark-refresh'])
  expect(countRequests(requests, '/token/refresh/')).toBe(0)
})

test('nothing is stored if the user signs out during a refresh', async () => {
  signInAs('alice')
  fakeApi((request) => {
    if (request.path !== '/token/refresh/') return [401, {}]
    clearSession()
    return [200, { access: 'access-2', refresh: 'refresh-2' }]
  })
  await expect(api(listCollections, { query: {} })).rejects.toMatchObject({ status: 401 })
  expect(Object.keys(localStorage)).toEqual([])
})

test('an expired access token is refreshed before it is sent', async () => {
  const expiredToken = `x.${btoa(JSON.stringify({ exp: 1 }))}.y`
  signInAs('alice')
  localStorage.setItem('access', expiredToken)
  const requests = serverWithExpiredToken()
  await api(listCollections, { query: {} })
  expect(requests.map(({ path }) => path.split('?')[0])).toEqual(['/token/refresh/', '/collections/'])
})

test('fresh tokens are used even if the device’s clock is wrong', async () => {
  const seeminglyExpiredToken = `x.${btoa(JSON.stringify({ exp: 1 }))}.y`
  signInAs('alice')
  const requests = fakeApi((request) => {
    if (request.path === '/token/refresh/')
      return [200, { access: seeminglyExpiredToken, refresh: 'refresh-2' }]
    return bearer(request) === seeminglyExpiredToken ? [200, empty] : [401, {}]
  })
  await api(listCollections, { query: {} })
  await api(listCollections, { query: {} })
  expect(countRequests(requests, '/token/refresh/')).toBe(1)
})
