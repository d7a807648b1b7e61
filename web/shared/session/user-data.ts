/**
 * Removes what a user leaves in the browser's storage: filters, the last destination, drafts, dismissed reminders. It
 * removes every key that is not listed here, so that a new key of a user is removed by itself.
 */

/** The keys of a session. session-store.ts writes and removes them. */
export const sessionKeys = ['access', 'refresh', 'token_expiry', 'user', 'username'] as const

/** What belongs to the device and says nothing about its user. */
const deviceKeys = ['theme', 'motion', 'single-keys', 'autoplay-next', 'recruiting-banner', 'adult-confirmed']

/** A message for the next page, such as "Your account has been deleted.". */
const messageKeys = ['toast']

/** Removes what users entered or chose in all tabs. Call it when a session ends. */
export function removeUserData(): void {
  removeExcept('localStorage', [...sessionKeys, ...deviceKeys])
  removeTabData()
}

/** Removes what the user of this tab entered or chose in it. Call it when the session ended in another tab, too. */
export function removeTabData(): void {
  removeExcept('sessionStorage', [...sessionKeys, ...messageKeys])
}

function removeExcept(kind: 'localStorage' | 'sessionStorage', retained: readonly string[]): void {
  try {
    const storage = globalThis[kind]
    for (const key of Object.keys(storage)) if (!retained.includes(key)) storage.removeItem(key)
  } catch {
    // Storage is blocked, so it contains nothing.
  }
}
