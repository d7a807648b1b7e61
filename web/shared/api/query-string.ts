/**
 * Reads the search parameters of a page's address. They are written as an HTML form without JavaScript writes them, for
 * example `?q=cats&page=2`, and not as JSON, the router's default (`?q=%2242%22` for a search for 42). The
 * `validateSearch` of each route converts the texts.
 */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

/** Writes search parameters. Undefined, null and empty values are omitted. */
export function stringifySearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}
