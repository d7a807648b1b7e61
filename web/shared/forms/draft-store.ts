/** Stores drafts in this tab. If the browser blocks storage, drafts are not stored, and forms work without them. */

const prefix = 'draft:'

/** Returns how the keys of a user's drafts begin. */
export function draftKeyOf(username: string): string {
  return `${prefix}${username.toLowerCase()}:`
}

/** Returns the draft stored under a name, of unknown shape; null if no readable draft is stored. */
export function readDraft(name: string): object | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(prefix + name) ?? 'null')
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

/** Stores a draft; null deletes it. */
export function writeDraft(name: string, value: object | null): void {
  try {
    if (value === null) sessionStorage.removeItem(prefix + name)
    else sessionStorage.setItem(prefix + name, JSON.stringify(value))
  } catch {
    // Storage is blocked.
  }
}
