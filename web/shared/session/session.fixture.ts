/** A browser tab and a server for the tests of the session. */
import { afterEach, beforeEach, vi } from 'vitest'
import { fakeApi } from '../../testing/fake-api.ts'
import { resetBrowser, testProfile } from '../../testing/fake-session.ts'
import { setRedirector } from './redirects.ts'
import { startSession } from './session.ts'

/** The keys of a stored session. */
export const storedSession = ['access', 'refresh', 'token_expiry', 'user', 'username']

export const expiresInMs = (ms: number) => new Date(Date.now() + ms).toISOString()

/** Begins each test of a file with an empty browser and a recorder of redirects, and runs `cleanups` after it. */
export function resetTabForEachTest() {
  const visitedPaths: string[] = []
  const cleanups: (() => void)[] = []
  beforeEach(() => {
    resetBrowser()
    visitedPaths.length = 0
    cleanups.push(setRedirector((path) => visitedPaths.push(path)))
  })
  afterEach(() => {
    for (const cleanUp of cleanups.splice(0)) cleanUp()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  return {
    /** The paths to which the current test was redirected. */
    visitedPaths,
    cleanups,
    /** Starts the session of the page until the test ends. */
    startTestSession: () => void cleanups.push(startSession()),
  }
}

/** Starts a server where every login and refresh succeeds, and alice is a moderator. */
export function startFakeServer() {
  return fakeApi(({ path }) => {
    if (path === '/token/') return [200, { access: 'access-1', refresh: 'refresh-1', username: 'Alice' }]
    if (path === '/token/refresh/') return [200, { access: 'access-2', refresh: 'refresh-2' }]
    if (path.startsWith('/profile/')) return [200, testProfile('Alice', { is_moderator: true })]
    return [200, {}]
  })
}
