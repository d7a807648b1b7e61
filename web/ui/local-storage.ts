/**
 * Small things remembered on the device (theme, filter, dismissed banner). Storage can be full, switched off or
 * forbidden: then nothing is remembered, and nothing else changes.
 */
export function writeLocalStorage(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // Not remembered, as said above.
  }
}

export function readLocalStorage(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
