/** Stores a username after the viewer changed it. */
import { draftKeyOf } from '../forms/draft-store.ts'
import { refreshUser } from './session.ts'
import { getSession, storeUser } from './session-store.ts'

/** Stores the new username of the viewer, in this tab; other tabs follow. */
export function storeNewUsername(username: string): void {
  const { user, username: former } = getSession()
  if (former !== null) moveDrafts(former, username)
  // The server still finds the viewer by the stored, former name.
  if (user === null) void refreshUser()
  else storeUser({ ...user.profile, username })
}

/** Moves the drafts of this tab and of all tabs, which are stored under the username. */
function moveDrafts(from: string, to: string): void {
  const [oldKey, newKey] = [draftKeyOf(from), draftKeyOf(to)]
  if (oldKey === newKey) return
  for (const kind of ['sessionStorage', 'localStorage'] as const) {
    try {
      const storage = globalThis[kind]
      for (const key of Object.keys(storage).filter((name) => name.startsWith(oldKey))) {
        storage.setItem(newKey + key.slice(oldKey.length), storage.getItem(key) ?? '')
        storage.removeItem(key)
      }
    } catch {
      // Storage is blocked, or full: drafts that were not moved stay under the former username.
    }
  }
}
