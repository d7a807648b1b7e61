import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { listCollections } from '@reelmark/contract/collections.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { listTags } from '@reelmark/contract/tags.ts'
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

/** A server that knows one access token, and gives `access-2` for `refresh-1`. */
function serverWithExpiredToken({ refreshAnswer }: { refreshAnswer?: FakeAnswer } = {}) {
  return fakeApi(async (request) => {
    // Nothing answers at once, as on a real line.
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

test('a visitor calls without a token, and a 401 is just an error', async () => {
  const requests = fakeApi(() => [
    401,
    { detail: 'Authentication credentials were not provided.', code: 'unauthenticated' },
  ])
  await expect(api(listCollections, { query: {} })).rejects.toMatchObject({ status: 401 })
  expect(requests).toHaveLength(1)
  expect(requests[0]?.headers.authorization).toBeUndefined()
  expect(visitedPaths).toEqual([])
})

test('calls of a signed-in person carry the token, those that do not care who asks do not', async () => {
  signInAs('alice')
  const requests = fakeApi(() => [200, empty])
  await api(listCollections, { query: {} })
  await api(listTags, { query: { q: 'ca' } })
  expect(requests.map(bearer)).toEqual(['access-1', undefined])
})

test('fifty calls answered 401 at once share one refresh, and each is sent exactly once more', async () => {
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

test('a call answered 401 after the refresh is over takes the new token without another refresh', async () => {
  signInAs('alice')
  let late: (() => void) | undefined
  const requests = fakeApi(async (request) => {
    if (request.path === '/token/refresh/') return [200, { access: 'access-2', refresh: 'refresh-2' }]
    if (bearer(request) === 'access-2') return [200, empty]
    if (request.path.includes('page=2')) await new Promise<void>((resolve) => (late = resolve))
    return [401, {}]
  })
  const slow = api(listCollections, { query: { page: 2 } })
  await api(listCollections, { query: { page: 1 } })
  late?.()
  await slow
  expect(countRequests(requests, '/token/refresh/')).toBe(1)
})

test('a call is retried once only: refused again, the session is over', async () => {
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

test('a refused refresh clears tokens and user, and goes to /login with the way back', async () => {
  signInAs('alice')
  window.history.replaceState(null, '', '/bookmarks/create')
  const requests = serverWithExpiredToken({ refreshAnswer: [401, { detail: 'over' }] })
  await expect(api(listCollections, { query: {} })).rejects.toMatchObject({ status: 401 })
  expect(countRequests(requests, '/collections/')).toBe(1)
  expect(Object.keys(localStorage)).toEqual([])
  expect(visitedPaths).toEqual(['/login?redirect=%2Fbookmarks%2Fcreate'])
})

test('whoever is at /login already stays there', async () => {
  signInAs('alice')
  window.history.replaceState(null, '', '/login?redirect=%2Fsettings')
  serverWithExpiredToken({ refreshAnswer: [401, {}] })
  await expect(api(listCollections, { query: {} })).rejects.toMatchObject({ status: 401 })
  expect(storedTokens()).toBeNull()
  expect(visitedPaths).toEqual([])
})

test.for<[string, FakeAnswer]>([
  ['gets no answer', 'offline'],
  ['meets a server that is down', [503, {}]],
  ['is one too many', [429, {}]],
])('a refresh that %s signs nobody out', async ([, refreshAnswer]) => {
  signInAs('alice')
  serverWithExpiredToken({ refreshAnswer })
  const error = await api(listCollections, { query: {} }).catch((caught: unknown) => caught)
  expect(isCallError(error)).toBe(true)
  expect(storedTokens()).toEqual({ access: 'access-1', refresh: 'refresh-1' })
  expect(visitedPaths).toEqual([])
})

test('a write is not lost on a refresh: sent again whole, under the same key', async () => {
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

test('two saves have two keys, unless they are one intent', async () => {
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

test('a lost connection is told as status 0', async () => {
  fakeApi(() => 'offline')
  await expect(api(getProfile, { params: { username: 'bob' } })).rejects.toMatchObject({
    name: 'CallError',
    status: 0,
  })
})

test('a page of a proxy is never taken for an error text', async () => {
  vi.stubGlobal('fetch', async () => new Response('<h1>Bad gateway</h1>', { status: 502 }))
  await expect(api(getProfile, { params: { username: 'bob' } })).rejects.toMatchObject({
    status: 502,
    body: null,
  })
})

test('a call given up by its caller is no lost connection', async () => {
  const timeoutMs = new AbortController()
  fakeApi(() => {
    timeoutMs.abort()
    return [200, empty]
  })
  await expect(api(listCollections, { query: {} }, { signal: timeoutMs.signal })).rejects.toMatchObject({
    name: 'AbortError',
  })
})

test('the pair that another tab just stored is taken instead of refreshing', async () => {
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

test('tabs take turns where the browser has locks, and the second finds the pair of the first', async () => {
  signInAs('alice')
  const sentRequests: string[] = []
  vi.stubGlobal('navigator', {
    locks: {
      request: async (name: string, task: () => Promise<unknown>) => {
        sentRequests.push(name)
        // Meanwhile the tab before us did the work.
        localStorage.setItem('access', 'access-2')
        localStorage.setItem('refresh', 'refresh-2')
        return await task()
      },
    },
  })
  const requests = serverWithExpiredToken()
  await api(listCollections, { query: {} })
  expect(sentRequests).toEqual(['reelmark-refresh'])
  expect(countRequests(requests, '/token/refresh/')).toBe(0)
})

test('signing out while a refresh is under way wins: nothing is stored afterwards', async () => {
  signInAs('alice')
  fakeApi((request) => {
    if (request.path !== '/token/refresh/') return [401, {}]
    clearSession()
    return [200, { access: 'access-2', refresh: 'refresh-2' }]
  })
  await expect(api(listCollections, { query: {} })).rejects.toMatchObject({ status: 401 })
  expect(Object.keys(localStorage)).toEqual([])
})

test('a token known to be over is refreshed before it is shown to the server', async () => {
  const over = `x.${btoa(JSON.stringify({ exp: 1 }))}.y`
  signInAs('alice')
  localStorage.setItem('access', over)
  const requests = serverWithExpiredToken()
  await api(listCollections, { query: {} })
  expect(requests.map(({ path }) => path.split('?')[0])).toEqual(['/token/refresh/', '/collections/'])
})

test('where the clock of the device is wrong, fresh tokens are used all the same', async () => {
  const looksOver = `x.${btoa(JSON.stringify({ exp: 1 }))}.y`
  signInAs('alice')
  const requests = fakeApi((request) => {
    if (request.path === '/token/refresh/') return [200, { access: looksOver, refresh: 'refresh-2' }]
    return bearer(request) === looksOver ? [200, empty] : [401, {}]
  })
  await api(listCollections, { query: {} })
  await api(listCollections, { query: {} })
  expect(countRequests(requests, '/token/refresh/')).toBe(1)
})
