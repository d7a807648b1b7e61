/** Redirects when a session starts or ends, and the paths that lead back. */

/** Loads a whole page by default, so that no data of the previous user stays in memory. */
let navigate: (path: string) => void = (path) => window.location.assign(path)

/** Goes to a path on this site, or to the URL of an identity provider. */
export function redirectTo(path: string): void {
  navigate(path)
}

/** Replaces how `redirectTo` navigates (by the router, or in tests). Returns a function that restores it. */
export function setRedirector(redirector: (path: string) => void): () => void {
  const before = navigate
  navigate = redirector
  return () => {
    navigate = before
  }
}

/** Pages whose address contains a token. It must not become part of a query, which servers and proxies log. */
const tokenPages = /^\/(confirm-email|reset-password|reset-password-confirm|unsubscribe)(\/|$)/

/**
 * Returns `/login?redirect=<here>`, so that the user returns to this page after login; `/login` if the address contains a
 * token.
 */
export function loginPath({ pathname, search }: { pathname: string; search: string }): string {
  if (tokenPages.test(pathname)) return '/login'
  return `/login?redirect=${encodeURIComponent(pathname + search)}`
}

/**
 * Returns a `redirect` value as a path on our own origin; null if it leads, or might lead, anywhere else. It must start
 * with a single slash and contain no character that some browser or proxy reads as a slash. The result of a URL parser
 * is checked, not only the text.
 */
export function safeRedirect(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\/(?![/\\])/.test(value) || /[\\\p{Cc}]/u.test(value)) return null
  const base = 'https://reelmark.invalid'
  if (!URL.canParse(value, base)) return null
  const url = new URL(value, base)
  // After dot segments are resolved, '/a/..//evil' begins with two slashes, which browsers read as a host.
  if (url.origin !== base || url.pathname.startsWith('//')) return null
  return url.pathname + url.search + url.hash
}
