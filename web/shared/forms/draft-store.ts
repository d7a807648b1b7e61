/** Stores drafts in the browser. If it blocks storage, drafts are not stored, and forms work without them. */

/** Where a draft is stored: for this tab, or for all tabs, so that it survives a closed tab. */
export type DraftStorage = 'sessionStorage' | 'localStorage'

/** How the keys of all drafts begin. */
export const draftPrefix = 'draft:'

/** Returns how the keys of a user's drafts begin. */
export function draftKeyOf(username: string): string {
  return draftPrefix + draftName(username, '')
}

/** Returns the name of a user's draft of a form. */
export function draftName(username: string, form: string): string {
  return `${username.toLowerCase()}:${form}`
}

/** Returns the draft stored under a name, of unknown shape; null if no readable draft is stored. */
export function readDraft(name: string, storage: DraftStorage): object | null {
  try {
    const value: unknown = JSON.parse(globalThis[storage].getItem(draftPrefix + name) ?? 'null')
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

/** Stores a draft; null deletes it. */
export function writeDraft(name: string, value: object | null, storage: DraftStorage): void {
  try {
    if (value === null) globalThis[storage].removeItem(draftPrefix + name)
    else globalThis[storage].setItem(draftPrefix + name, JSON.stringify(value))
  } catch {
    // Storage is blocked.
  }
}
