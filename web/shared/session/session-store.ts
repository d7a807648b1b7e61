/**
 * Stores a session in the browser (keys: docs/behaviour.md, Accounts and sessions) and notifies listeners of changes.
 * Sends no requests: session.ts, session-refresh.ts and api.ts do.
 */
import type { TokenPair } from '@reelmark/contract/accounts.ts'
import type { Profile } from '@reelmark/contract/profiles.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { writeLocalStorage } from '../../ui/local-storage.ts'
import { draftPrefix } from '../forms/draft-store.ts'
import { tokenPayload } from './token-payload.ts'
import { removeUserData } from './user-data.ts'

/** What every visitor may know of a user. Only this part of a profile is stored on the device. */
type PublicProfile = Pick<Profile, 'user_id' | 'username' | 'avatar_url' | 'is_verified' | 'is_moderator'>

/** The viewer's profile. Private fields, such as the email address, are missing until it was fetched on this page. */
export type OwnProfile = PublicProfile & Partial<Profile>

interface StoredUser {
  id: number
  username: string
  is_moderator: boolean
  profile: OwnProfile
  roles?: string[]
}

export interface Session {
  /** `unknown` on the server and during hydration: the server does not know the session. */
  status: 'unknown' | 'signed-out' | 'signed-in'
  /** The name typed at login until the profile was fetched, then the account's spelling. */
  username: string | null
  /** Null when signed out, and when signed in until the profile was fetched. */
  user: StoredUser | null
  isModerator: boolean
}

export const unknownSession: Session = {
  status: 'unknown',
  username: null,
  user: null,
  isModerator: false,
}

const sessionKeys = ['access', 'refresh', 'token_expiry', 'user', 'username'] as const
type StorageKey = (typeof sessionKeys)[number]
type TokenStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const storages = ['localStorage', 'sessionStorage'] as const
/** Announces the id of a session that ended to the other tabs. */
const endKey = 'session-end'

const listeners = new Set<() => void>()
const identityListeners = new Set<() => void>()
let currentSession: Session | null = null
/** The profile fetched last, with its private fields: in memory only, for as long as this page is open. */
let fetchedProfile: OwnProfile | null = null

/** Replaces blocked storage: the session lasts as long as the page. */
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

/** Returns the storage of the session. A session of this tab takes precedence over a remembered one. */
function currentStorage(): TokenStorage {
  const tabStorage = getStorage('sessionStorage')
  return tabStorage.getItem('refresh') === null ? getStorage('localStorage') : tabStorage
}

function readKey(key: StorageKey): string | null {
  return currentStorage().getItem(key)
}

/** Returns both tokens; null if either is missing, since there is no session then. */
export function storedTokens(): TokenPair | null {
  const access = readKey('access')
  const refresh = readKey('refresh')
  return access && refresh ? { access, refresh } : null
}

export function storedUsername(): string | null {
  return readKey('username')
}

/** Returns whether the session is remembered for a week. */
export function isRemembered(): boolean {
  return currentStorage() === getStorage('localStorage')
}

/** Returns whether less than 5 minutes of the session are left, or its expiry is unreadable. */
export function isNearExpiry(now = Date.now()): boolean {
  const text = readKey('token_expiry') ?? ''
  const end = /^\d+$/.test(text) ? Number(text) : Date.parse(text)
  return !(end - now >= limits.nearExpirySeconds * 1000)
}

/**
 * Starts a session and removes any previous one from both storages, with the data of its user. What a visitor entered
 * before the login remains.
 */
export function storeLogin(pair: TokenPair, username: string | null, remember: boolean): void {
  const before = getSession()
  if (before.status === 'signed-in' && !isSameName(before.username, username)) removeUserData(storages)
  removeUserData(['sessionStorage'], username)
  removeUserData(['localStorage'], username, draftPrefix)
  clearStorage()
  const target = getStorage(remember ? 'localStorage' : 'sessionStorage')
  if (username !== null) target.setItem('username', username)
  writeTokens(target, pair, remember)
  notifySessionChange()
}

/** Replaces the token pair and extends the session. */
export function storeRefreshedTokens(pair: TokenPair): void {
  writeTokens(currentStorage(), pair, isRemembered())
  notifySessionChange()
}

/** Returns whether the private fields of the viewer's profile are known on this page. */
export function isProfileFetched(): boolean {
  return fetchedProfile?.bio !== undefined && fetchedProfile.user_id === getSession().user?.id
}

/** Stores the viewer. Ignored if the session ended while the profile was being fetched. */
export function storeUser(profile: OwnProfile): void {
  if (storedTokens() === null) return
  fetchedProfile = profile
  const { user_id, username, avatar_url, is_verified, is_moderator } = profile
  const publicProfile: PublicProfile = { user_id, username, avatar_url, is_verified, is_moderator }
  const user: StoredUser = { id: user_id, username, is_moderator, profile: publicProfile }
  const target = currentStorage()
  target.setItem('user', JSON.stringify(user))
  target.setItem('username', username)
  notifySessionChange()
}

/**
 * Ends the session in the browser: removes all five keys from both storages, and the data of its user. If the session has
 * only run out, what the user is writing in this tab waits for their next login.
 */
export function clearSession(): void {
  const { status, username } = getSession()
  // A failed login of a visitor removes nothing that they entered.
  if (status === 'signed-in') {
    // Tells tabs that have a copy of the session in their session storage. The next line removes it.
    writeLocalStorage(endKey, sessionId())
    removeUserData(storages, isNearExpiry() ? username : null)
  }
  clearStorage()
  notifySessionChange()
}

/** Returns the id of the session, which stays the same when its tokens are refreshed; '' if it is unreadable. */
function sessionId(): string {
  return String(tokenPayload(readKey('access') ?? '').sid ?? '')
}

function clearStorage(): void {
  for (const target of [...storages.map(getStorage), memoryStorage]) {
    for (const key of sessionKeys) target.removeItem(key)
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
    if (typeof user?.username !== 'string' || typeof user.id !== 'number') return null
    // Another tab may have changed what is stored.
    return fetchedProfile?.user_id === user.id
      ? { ...user, profile: { ...fetchedProfile, ...user.profile } }
      : user
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

function isSameName(name: string | null | undefined, other: string | null): boolean {
  return name?.toLowerCase() === other?.toLowerCase()
}

/** Returns whether two sessions are of the same user, who may have changed their username between them. */
function isSameUser(one: Session, other: Session): boolean {
  if (one.user !== null && other.user !== null) return one.user.id === other.user.id
  return isSameName(one.username, other.username)
}

/** Returns the current session; the same object until it changes. */
export function getSession(): Session {
  currentSession ??= readSession()
  return currentSession
}

/** Calls `listener` after each change in this or another tab. Returns a function that stops it. */
export function subscribeToSession(listener: () => void): () => void {
  getSession()
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Calls `listener` when another user, or no user, is signed in, so that cached data can be removed. */
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
  if (before === null || isSameUser(before, now)) return
  if (!isSameName(fetchedProfile?.username, now.username)) fetchedProfile = null
  for (const listener of identityListeners) listener()
}

/** Follows sign-in, sign-out, refresh and the end of the session in other tabs. Returns a function that stops it. */
export function followOtherTabs(): () => void {
  notifySessionChange()
  const listener = (event: StorageEvent) => {
    if (event.key === endKey && event.newValue && event.newValue === sessionId()) clearSession()
    if (event.key !== null && !sessionKeys.some((key) => key === event.key)) return
    const before = getSession()
    notifySessionChange()
    if (before.username !== null && !isSameUser(before, getSession())) removeUserData(['sessionStorage'])
  }
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}
