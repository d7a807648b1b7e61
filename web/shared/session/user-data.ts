import { draftKeyOf } from '../forms/draft-store.ts'

/**
 * The keys of the session, which session-store.ts removes, of the device's settings, of a message for the next page, and of
 * what a visitor wants to do after the login.
 * Every other key is a user's, so that a new one is removed by itself.
 */
const otherKeys =
  /^(access|refresh|token_expiry|user|username|theme|motion|single-keys|autoplay-next|recruiting-banner|adult-confirmed|adult-notice|toast|sign-in-intent)$/

/**
 * Removes what users leave in the browser's storage: filters, the last destination, drafts, dismissed reminders.
 * @param draftOwner the user whose drafts remain; null: no drafts remain
 * @param prefix how the keys to remove begin
 */
export function removeUserData(
  kinds: readonly ('localStorage' | 'sessionStorage')[],
  draftOwner: string | null = null,
  prefix = '',
): void {
  const drafts = draftOwner === null ? null : draftKeyOf(draftOwner)
  for (const kind of kinds) {
    try {
      const storage = globalThis[kind]
      for (const key of Object.keys(storage)) {
        if (!key.startsWith(prefix) || otherKeys.test(key)) continue
        if (drafts === null || !key.startsWith(drafts)) storage.removeItem(key)
      }
    } catch {
      // Storage is blocked, so it contains nothing.
    }
  }
}
