/** The browser's session: start, sign-out, viewer (docs/behaviour.md, Accounts and sessions). */
import { logOut } from '@reelmark/contract/accounts.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useSyncExternalStore } from 'react'
import { authorisedTransport, expectSessionEnd } from '../api/api.ts'
import { fetchTransport } from '../api/fetch-transport.ts'
import { redirectTo } from './redirects.ts'
import { refreshSession } from './session-refresh.ts'
import {
  clearSession,
  followOtherTabs,
  getSession,
  isNearExpiry,
  isProfileFetched,
  isRemembered,
  onIdentityChange,
  type Session,
  storedTokens,
  storedUsername,
  storeUser,
  subscribeToSession,
  unknownSession,
} from './session-store.ts'

/** How long sign-out waits for the server. */
const signOutTimeoutMs = 3000

/**
 * Returns the current session. Its status is `unknown` on the server and during hydration, so that both render the
 * same.
 */
export function useSession(): Session {
  return useSyncExternalStore(subscribeToSession, getSession, () => unknownSession)
}

/** Returns the end of the viewer's suspension as far as this browser knows; null if they are not suspended. */
export function useSuspendedUntil(): string | null {
  const until = useSession().user?.profile.suspended_until ?? null
  return until !== null && Date.parse(until) > Date.now() ? until : null
}

/** Ends the session in the browser, whatever the server responds, and goes to `to`. */
export async function signOut(to = '/'): Promise<void> {
  const tokens = storedTokens()
  if (tokens !== null) {
    // Requests that the page sends meanwhile are refused as soon as the server has ended the session.
    expectSessionEnd(tokens.access)
    const transport = fetchTransport(AbortSignal.timeout(signOutTimeoutMs))
    await call(transport, logOut, { body: { refresh: tokens.refresh } }).catch(() => undefined)
  }
  endLocalSession(to)
}

/** Clears a session that the server has ended, with the data of its user, and goes to `to`. */
export function endLocalSession(to = '/'): void {
  clearSession()
  redirectTo(to)
}

/** Fetches the profile unless this page has it: its private fields are not stored on the device. */
export async function fetchMissingUser(): Promise<void> {
  if (!isProfileFetched()) await refreshUser()
}

/**
 * Fetches the viewer's profile again. Failures are ignored. If the session has ended, it is cleared, but the user stays
 * on the page: public pages need no session, and forms such as the one for a new password keep their input.
 */
export async function refreshUser(): Promise<void> {
  const username = storedUsername()
  if (storedTokens() === null || username === null) return
  try {
    const transport = authorisedTransport(fetchTransport(), clearSession)
    storeUser(await call(transport, getProfile, { params: { username } }))
  } catch {
    // The session is valid without it, and the next page load tries again.
  }
}

/**
 * Starts the session once when the page loads: refreshes one that has expired or is about to, fetches a missing user,
 * keeps a remembered session alive and follows other tabs. Returns a function that stops this.
 */
export function startSession(): () => void {
  const stopFollowing = followOtherTabs()
  const stopFetching = onIdentityChange(() => void fetchMissingUser())
  void resumeSession()
  const timer = setInterval(() => {
    if (isRemembered()) void refreshIfNearExpiry()
  }, limits.refreshCheckSeconds * 1000)
  return () => {
    stopFollowing()
    stopFetching()
    clearInterval(timer)
  }
}

async function resumeSession(): Promise<void> {
  await refreshIfNearExpiry()
  await fetchMissingUser()
}

/** A refused refresh clears the session; any other failure leaves it for the next attempt. */
async function refreshIfNearExpiry(): Promise<void> {
  const tokens = storedTokens()
  if (tokens !== null && isNearExpiry()) await refreshSession(tokens.access).catch(() => undefined)
}

/** Returns whether a user is signed in, after refreshing a session about to expire. For page guards in the browser. */
export async function hasSession(): Promise<boolean> {
  await refreshIfNearExpiry()
  return storedTokens() !== null
}
