/** The browser's session: start, sign-in, sign-out, viewer (docs/behaviour.md, Accounts and sessions). */
import { logIn, logOut } from '@reelmark/contract/accounts.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import type { Reply } from '@reelmark/contract/protocol/endpoint.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useSyncExternalStore } from 'react'
import { api, expectSessionEnd } from '../api/api.ts'
import { fetchTransport } from '../api/fetch-transport.ts'
import { clearDrafts } from '../forms/draft-store.ts'
import { redirectTo } from './redirects.ts'
import { refreshSession } from './session-refresh.ts'
import {
  clearSession,
  followOtherTabs,
  getSession,
  isNearExpiry,
  isRemembered,
  type Session,
  storedTokens,
  storedUsername,
  storeLogin,
  storeUser,
  subscribeToSession,
  unknownSession,
} from './session-store.ts'

/** How long a sign-out waits for the server before it goes on without it. */
const signOutTimeoutMs = 3000

/** Who is signed in. `unknown` on the server and during hydration, so that both render the same. */
export function useSession(): Session {
  return useSyncExternalStore(subscribeToSession, getSession, () => unknownSession)
}

/** Until when whoever is signed in is suspended, as this browser knows; null: they are not. */
export function useSuspendedUntil(): string | null {
  const until = useSession().user?.profile.suspended_until ?? null
  return until !== null && Date.parse(until) > Date.now() ? until : null
}

/**
 * Keeps the session that a login answered: for a week, or for this tab where `remember` is false. Every way to sign in
 * ends here. The profile is fetched best effort: without it one is signed in all the same.
 * @throws CallError when the login failed; nothing is stored then.
 */
export async function completeSignIn(login: Promise<Reply<typeof logIn>>, remember: boolean): Promise<void> {
  try {
    const reply = await login
    storeLogin(reply, reply.username, remember)
  } catch (error) {
    clearSession()
    throw error
  }
  await fetchMissingUser()
}

/** Logs in by a password; see `signInBy`. */
export function signInWithPassword(username: string, password: string, remember: boolean): Promise<void> {
  const body = { username: username.trim(), password, remember }
  return completeSignIn(call(fetchTransport(), logIn, { body }), remember)
}

/** Ends the session here whatever the server says of it, and goes home, or to another path of this site. */
export async function signOut(to = '/'): Promise<void> {
  const tokens = storedTokens()
  if (tokens !== null) {
    // What the page asks for meanwhile is refused as soon as the server knows.
    expectSessionEnd(tokens.access)
    const transport = fetchTransport(AbortSignal.timeout(signOutTimeoutMs))
    await call(transport, logOut, { body: { refresh: tokens.refresh } }).catch(() => undefined)
  }
  endLocalSession(to)
}

/** Forgets a session that the server has ended, and leaves. */
export function endLocalSession(to = '/'): void {
  clearDrafts()
  clearSession()
  redirectTo(to)
}

async function fetchMissingUser(): Promise<void> {
  if (getSession().user === null) await refreshUser()
}

/** Fetches anew who is signed in, best effort: what fails here shows where it is needed. */
export async function refreshUser(): Promise<void> {
  const username = storedUsername()
  if (storedTokens() === null || username === null) return
  try {
    storeUser(await api(getProfile, { params: { username } }))
  } catch {
    // The session stands without it; the next start tries again.
  }
}

/**
 * Starts the session when the page does, once: refreshes one that is over or nearly so, fetches a missing user, keeps
 * a remembered session alive, follows other tabs. Returns what stops all that.
 */
export function startSession(): () => void {
  const stopFollowing = followOtherTabs()
  void resumeSession()
  const timer = setInterval(() => {
    if (isRemembered()) void refreshIfNearExpiry()
  }, limits.refreshCheckSeconds * 1000)
  return () => {
    stopFollowing()
    clearInterval(timer)
  }
}

async function resumeSession(): Promise<void> {
  await refreshIfNearExpiry()
  await fetchMissingUser()
}

/** A refused refresh clears the session by itself; no answer leaves it for the next try. */
async function refreshIfNearExpiry(): Promise<void> {
  const tokens = storedTokens()
  if (tokens !== null && isNearExpiry()) await refreshSession(tokens.access).catch(() => undefined)
}

/**
 * Whether someone is signed in, after a session that is over or nearly so was refreshed. For guards, in the browser.
 */
export async function hasSession(): Promise<boolean> {
  await refreshIfNearExpiry()
  return storedTokens() !== null
}
