/**
 * Stores a small value on the device (theme, filter, dismissed banner); null removes it. Storage can be full or
 * disabled: the value is then not stored, without an error.
 */
export function writeLocalStorage(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // Not stored, see above.
  }
}

export function readLocalStorage(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
