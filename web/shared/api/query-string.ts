/**
 * How a page's search parameters stand in its address: plain text, `?q=cats&page=2`, as a form without JavaScript
 * writes them and people read them. (The router's own way puts JSON there: `?q=%2242%22` for a search of 42.)
 * Each route's `validateSearch` turns the texts into what it needs.
 */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

/** Undefined, null and empty values are left out. */
export function stringifySearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}
