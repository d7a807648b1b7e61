/**
 * Stores a session in the browser (keys: docs/behaviour.md, Accounts and sessions) and notifies listeners of changes.
 * It knows no network: session.ts, session-refresh.ts and api.ts do.
 */
import type { TokenPair } from '@reelmark/contract/accounts.ts'
import type { Profile } from '@reelmark/contract/profiles.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'

export interface StoredUser {
  id: number
  username: string
  is_moderator: boolean
  profile: Profile
  roles?: string[]
}

export interface Session {
  /** `unknown` on the server and while the first render is hydrated: the server cannot know a browser's session. */
  status: 'unknown' | 'signed-out' | 'signed-in'
  /** What was typed at login until the profile is there, then as the account is spelt. */
  username: string | null
  /** Null when signed out, and signed in until the profile was fetched. */
  user: StoredUser | null
  isModerator: boolean
}

export const unknownSession: Session = {
  status: 'unknown',
  username: null,
  user: null,
  isModerator: false,
}

const storageKeys = ['access', 'refresh', 'token_expiry', 'user', 'username'] as const
type StorageKey = (typeof storageKeys)[number]
type TokenStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const listeners = new Set<() => void>()
const identityListeners = new Set<() => void>()
let currentSession: Session | null = null

/** Where storage is blocked the session lasts as long as the page does. */
const memoryStorage: TokenStorage = (() => {
  const values = new Map<string, string>()
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  }
})()

function getStorage(kind: 'localStorage' | 'sessionStorage'): TokenStorage {
  try {
    return globalThis[kind] ?? memoryStorage
  } catch {
    return memoryStorage
  }
}

/** A session that is not to be remembered is this tab's own, so it goes before a remembered one. */
function currentStorage(): TokenStorage {
  const own = getStorage('sessionStorage')
  return own.getItem('refresh') === null ? getStorage('localStorage') : own
}

function readKey(key: StorageKey): string | null {
  return currentStorage().getItem(key)
}

/** Both tokens, or null: with one of them there is no session. */
export function storedTokens(): TokenPair | null {
  const access = readKey('access')
  const refresh = readKey('refresh')
  return access && refresh ? { access, refresh } : null
}

export function storedUsername(): string | null {
  return readKey('username')
}

/** Whether the session was to be kept for a week. */
export function isRemembered(): boolean {
  return currentStorage() === getStorage('localStorage')
}

/** Whether there is no readable expiry, or less than 5 minutes of the session are left. */
export function isNearExpiry(now = Date.now()): boolean {
  const text = readKey('token_expiry') ?? ''
  const end = /^\d+$/.test(text) ? Number(text) : Date.parse(text)
  return !(end - now >= limits.nearExpirySeconds * 1000)
}

/** Starts a session: whatever was stored before, in either storage, goes. */
export function storeLogin(pair: TokenPair, username: string | null, remember: boolean): void {
  clearStorage()
  const target = getStorage(remember ? 'localStorage' : 'sessionStorage')
  if (username !== null) target.setItem('username', username)
  writeTokens(target, pair, remember)
  notifySessionChange()
}

/** Puts a refreshed pair in the place of the old one; the session's end moves on. */
export function storeRefreshedTokens(pair: TokenPair): void {
  writeTokens(currentStorage(), pair, isRemembered())
  notifySessionChange()
}

/** Keeps who is signed in. Ignored when the session ended while the profile was on its way. */
export function storeUser(profile: Profile): void {
  if (storedTokens() === null) return
  const { user_id: id, username, is_moderator } = profile
  const user: StoredUser = { id, username, is_moderator, profile }
  const target = currentStorage()
  target.setItem('user', JSON.stringify(user))
  target.setItem('username', username)
  notifySessionChange()
}

/** Forgets the session: all five keys, in both storages. */
export function clearSession(): void {
  clearStorage()
  notifySessionChange()
}

function clearStorage(): void {
  for (const target of [getStorage('localStorage'), getStorage('sessionStorage'), memoryStorage]) {
    for (const key of storageKeys) target.removeItem(key)
  }
}

function writeTokens(target: TokenStorage, pair: TokenPair, remember: boolean): void {
  const seconds = remember ? limits.rememberedSessionSeconds : limits.shortSessionSeconds
  target.setItem('access', pair.access)
  target.setItem('refresh', pair.refresh)
  target.setItem('token_expiry', new Date(Date.now() + seconds * 1000).toISOString())
}

function readUser(): StoredUser | null {
  try {
    const user = JSON.parse(readKey('user') ?? 'null') as StoredUser | null
    return typeof user?.username === 'string' && typeof user.id === 'number' ? user : null
  } catch {
    return null
  }
}

function readSession(): Session {
  if (storedTokens() === null) return { ...unknownSession, status: 'signed-out' }
  const user = readUser()
  return {
    status: 'signed-in',
    username: user?.username ?? storedUsername(),
    user,
    isModerator: user?.is_moderator === true || user?.roles?.includes('moderator') === true,
  }
}

/** The session as it is now; the same object until it changes. */
export function getSession(): Session {
  currentSession ??= readSession()
  return currentSession
}

/** Calls back after each change, this tab's or another's. Returns what stops it. */
export function subscribeToSession(listener: () => void): () => void {
  getSession()
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Calls back when someone else is signed in than before, or nobody: what was fetched for them must go. */
export function onIdentityChange(listener: () => void): () => void {
  getSession()
  identityListeners.add(listener)
  return () => identityListeners.delete(listener)
}

function notifySessionChange(): void {
  const before = currentSession
  const now = readSession()
  if (before !== null && JSON.stringify(before) === JSON.stringify(now)) return
  currentSession = now
  for (const listener of listeners) listener()
  const sameName = before?.username?.toLowerCase() === now.username?.toLowerCase()
  if (before !== null && !sameName) for (const listener of identityListeners) listener()
}

/** Another tab signed in, out or refreshed, since the page came or from now on. Returns what stops listening. */
export function followOtherTabs(): () => void {
  notifySessionChange()
  const listener = (event: StorageEvent) => {
    if (event.key === null || storageKeys.some((key) => key === event.key)) notifySessionChange()
  }
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}
