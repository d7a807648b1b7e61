/** Exchanges the refresh token for a new token pair, one exchange at a time across all tabs. */
import { refreshTokens } from '@reelmark/contract/accounts.ts'
import { call, isCallError } from '@reelmark/contract/protocol/call.ts'
import { fetchTransport } from '../api/fetch-transport.ts'
import { clearSession, storedTokens, storeRefreshedTokens } from './session-store.ts'
import { tokenPayload } from './token-payload.ts'

let pendingRefresh: Promise<string | null> | null = null
/** False once a token just received looks expired: then the device's clock is wrong. */
let isClockTrusted = true

/** Resolves when no refresh is in progress; never rejects. */
export async function waitForRefresh(): Promise<void> {
  await pendingRefresh?.catch(() => undefined)
}

/**
 * Returns a newer access token than `stale`. Concurrent callers share one refresh. Returns null, and clears the
 * session, if it has ended.
 * @throws CallError if the server could not decide (offline, overloaded); the session stays.
 */
export function refreshSession(stale: string): Promise<string | null> {
  const tokens = storedTokens()
  if (tokens === null) return Promise.resolve(null)
  if (tokens.access !== stale) return Promise.resolve(tokens.access)
  pendingRefresh ??= withCrossTabLock(() => exchangeRefreshToken(stale)).finally(() => {
    pendingRefresh = null
  })
  return pendingRefresh
}

/**
 * Runs the task in one tab at a time, because a refresh token works once. The next tab finds the new pair in the
 * storage.
 */
function withCrossTabLock<T>(task: () => Promise<T>): Promise<T> {
  const locks = globalThis.navigator?.locks
  return locks === undefined ? task() : locks.request('reelmark-refresh', task)
}

async function exchangeRefreshToken(stale: string): Promise<string | null> {
  const tokens = storedTokens()
  if (tokens === null) return null
  if (tokens.access !== stale) return tokens.access
  try {
    const pair = await call(fetchTransport(), refreshTokens, { body: { refresh: tokens.refresh } })
    // If the user signed out or in meanwhile, that session counts.
    if (storedTokens()?.refresh !== tokens.refresh) return storedTokens()?.access ?? null
    storeRefreshedTokens(pair)
    isClockTrusted = !isTokenExpired(pair.access)
    return pair.access
  } catch (error) {
    if (!isRefreshRefused(error)) throw error
    if (storedTokens()?.refresh !== tokens.refresh) return storedTokens()?.access ?? null
    clearSession()
    return null
  }
}

/**
 * Returns whether the server refused the refresh token. Timeouts, overload and faults say nothing about the session.
 */
function isRefreshRefused(error: unknown): boolean {
  return isCallError(error) && error.status >= 400 && error.status < 500 && error.status !== 429
}

/** Returns whether an access token is known to be expired, so that the server would respond 401. */
export function isAccessTokenExpired(access: string): boolean {
  return isClockTrusted && isTokenExpired(access)
}

function isTokenExpired(access: string): boolean {
  const { exp } = tokenPayload(access)
  return typeof exp === 'number' && exp * 1000 <= Date.now()
}
