/** Exchanging the refresh token for a new pair: once at a time, in this tab and across tabs. */
import { refreshTokens } from '@reelmark/contract/accounts.ts'
import { call, isCallError } from '@reelmark/contract/protocol/call.ts'
import { fetchTransport } from '../api/fetch-transport.ts'
import { clearSession, storedTokens, storeRefreshedTokens } from './session-store.ts'

let pendingRefresh: Promise<string | null> | null = null
/** False once a token fresh from the server looks expired here: this device's clock is wrong. */
let isClockTrusted = true

/** Settles when no refresh is under way; never rejects. */
export async function waitForRefresh(): Promise<void> {
  await pendingRefresh?.catch(() => undefined)
}

/**
 * A newer access token than `stale`, shared by everyone who asks meanwhile; null when the session is over (it is
 * cleared then).
 * @throws CallError when the server could not be asked (offline, overloaded): that ends no session.
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

/** A refresh token works once, so tabs take turns; whoever comes second finds the new pair in the storage. */
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
    // Whoever signed out or in while we waited has the last word.
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

/** The server read the token and said no. Silence, overload and faults say nothing about the session. */
function isRefreshRefused(error: unknown): boolean {
  return isCallError(error) && error.status >= 400 && error.status < 500 && error.status !== 429
}

/** Whether an access token is known to be over, so that asking with it would only be answered 401. */
export function isAccessTokenExpired(access: string): boolean {
  return isClockTrusted && isTokenExpired(access)
}

function isTokenExpired(access: string): boolean {
  try {
    const payload = access.split('.')[1] ?? ''
    const { exp } = JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/'))) as { exp?: unknown }
    return typeof exp === 'number' && exp * 1000 <= Date.now()
  } catch {
    return false
  }
}
