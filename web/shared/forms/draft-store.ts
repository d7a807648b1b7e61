/** Drafts in this tab's storage. Where nothing can be stored, nothing is kept: forms work all the same. */

const prefix = 'draft:'

/** What was kept under a name, whatever its shape; null where nothing readable is. */
export function readDraft(name: string): object | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(prefix + name) ?? 'null')
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

/** Keeps a draft; null forgets it. */
export function writeDraft(name: string, value: object | null): void {
  try {
    if (value === null) sessionStorage.removeItem(prefix + name)
    else sessionStorage.setItem(prefix + name, JSON.stringify(value))
  } catch {
    // As said above.
  }
}

/** Forgets every draft of this tab: whoever signs out leaves nothing behind. */
export function clearDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(prefix)) sessionStorage.removeItem(key)
    }
  } catch {
    // As said above.
  }
}
