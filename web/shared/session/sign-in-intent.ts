/**
 * What a visitor wanted to do before they signed in. It is stored in this tab when they leave the dialog for the login, and
 * never read from an address, so that a link of another site cannot make anyone do something. It becomes due only by a
 * sign-in in this tab, within half an hour, on the page where the visitor pressed the button, and only once
 * (docs/decisions/0086-intent-survives-sign-in.md).
 */

export type IntentAction =
  | 'like'
  | 'watch-later'
  | 'collect'
  | 'comment'
  | 'follow-user'
  | 'follow-collection'
  | 'follow-channel'
  | 'follow-tag'

export interface Intent {
  action: IntentAction
  /** The id of a video (like, watch-later, comment), bookmark (collect), user, collection or channel, or the name of a tag. */
  target: number | string
}

interface StoredIntent extends Intent {
  /** The path with its parameters where the visitor pressed the button. */
  path: string
  /** When it was stored, in milliseconds. */
  at: number
  /** Whether the user signed in in this tab since then. */
  isDue: boolean
}

const key = 'sign-in-intent'
const maxAgeMs = 30 * 60_000

/** Stores what the visitor wanted to do; null removes it. */
export function storeIntent(intent: (Intent & { path: string }) | null): void {
  write(intent === null ? null : { ...intent, at: Date.now(), isDue: false })
}

/** Makes the stored intent due. Called by every way to sign in, after it succeeded. */
export function makeIntentDue(): void {
  const intent = read()
  if (intent !== null) write({ ...intent, isDue: true })
}

/** Returns whether an intent is stored, and whether it is due. */
export function intentState(): 'none' | 'waiting' | 'due' {
  const intent = read()
  return intent === null ? 'none' : intent.isDue ? 'due' : 'waiting'
}

/** Returns the intent that is due on a page, once; null otherwise. */
export function takeIntent(path: string): Intent | null {
  const intent = read()
  if (intent === null || !intent.isDue || intent.path !== path) return null
  write(null)
  return { action: intent.action, target: intent.target }
}

function read(): StoredIntent | null {
  try {
    const value: StoredIntent | null = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    const age = Date.now() - Number(value?.at)
    if (value === null || typeof value !== 'object' || !(age >= 0 && age < maxAgeMs)) return null
    return value
  } catch {
    return null
  }
}

function write(intent: StoredIntent | null): void {
  try {
    if (intent === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(intent))
  } catch {
    // Storage is blocked: the user does it again.
  }
}
