import type { Profile } from '@reelmark/contract/profiles.ts'
import { clearSession, storeLogin, storeUser } from '../shared/session/session-store.ts'

/** Returns a user's own profile as the server sends it, with default values. */
export function testProfile(username: string, more: Partial<Profile> = {}): Profile {
  return {
    id: 7,
    user_id: 7,
    username,
    avatar_url: '/media/default.jpg',
    is_verified: false,
    is_moderator: false,
    bio: '',
    created_at: '2026-01-01T00:00:00Z',
    followers_count: 0,
    following_count: 0,
    bookmarks_count: 0,
    likes_count: 0,
    collections: [],
    pins: [],
    is_followed: false,
    has_feed: true,
    is_blocked: false,
    mute_id: null,
    ...more,
  }
}

/** Signs in with made-up tokens. */
export function signInAs(
  username: string,
  { remember = true, profile = {} }: { remember?: boolean; profile?: Partial<Profile> } = {},
): void {
  storeLogin({ access: 'access-1', refresh: 'refresh-1' }, username, remember)
  storeUser(testProfile(username, profile))
}

/** Signs out and clears all browser storage. */
export function resetBrowser(): void {
  clearSession()
  localStorage.clear()
  sessionStorage.clear()
  window.history.replaceState(null, '', '/')
}
