/**
 * Removes what a user leaves in the browser's storage: filters, the last destination, drafts, dismissed reminders. It
 * removes every key that is not listed here, so that a new key of a user is removed by itself.
 */
import { draftKeyOf } from '../forms/draft-store.ts'

/** The keys of a session. session-store.ts writes and removes them. */
export const sessionKeys = ['access', 'refresh', 'token_expiry', 'user', 'username'] as const

/** What belongs to the device and says nothing about its user. */
const deviceKeys = ['theme', 'motion', 'single-keys', 'autoplay-next', 'recruiting-banner', 'adult-confirmed']

/** A message for the next page, such as "Your account has been deleted.". */
const messageKeys = ['toast']

const localKeys = new Set<string>([...sessionKeys, ...deviceKeys])
const tabKeys = new Set<string>([...sessionKeys, ...messageKeys])

/**
 * Removes what users entered or chose in all tabs. Call it when a session ends.
 * @param draftOwner the user whose drafts remain in this tab; null: no drafts remain
 */
export function removeUserData(draftOwner: string | null = null): void {
  removeKeys('localStorage', (key) => !localKeys.has(key))
  removeTabData(draftOwner)
}

/** Removes what the user of this tab entered or chose in it. Call it when the session ended in another tab, too. */
export function removeTabData(draftOwner: string | null = null): void {
  removeKeys('sessionStorage', (key) => !tabKeys.has(key) && !isDraftOf(draftOwner, key))
}

/** Removes the drafts of all other users from this tab. Call it when a session starts. */
export function removeDraftsOfOthers(username: string | null): void {
  removeKeys('sessionStorage', (key) => key.startsWith(draftKeyOf()) && !isDraftOf(username, key))
}

function isDraftOf(owner: string | null, key: string): boolean {
  return owner !== null && key.startsWith(draftKeyOf(owner))
}

function removeKeys(kind: 'localStorage' | 'sessionStorage', isRemoved: (key: string) => boolean): void {
  try {
    const storage = globalThis[kind]
    for (const key of Object.keys(storage)) if (isRemoved(key)) storage.removeItem(key)
  } catch {
    // Storage is blocked, so it contains nothing.
  }
}
