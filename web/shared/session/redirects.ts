/** Going to another page because the session ended or began, and the paths that lead back. */

/** A whole page load by default: nothing that was fetched for the person before stays in memory. */
let navigate: (path: string) => void = (path) => window.location.assign(path)

/** Leaves for a path on this site, or for the address that another site signs people in at. */
export function redirectTo(path: string): void {
  navigate(path)
}

/** Sets how `leaveFor` goes (the router, or a test); returns what undoes it. */
export function setRedirector(redirector: (path: string) => void): () => void {
  const before = navigate
  navigate = redirector
  return () => {
    navigate = before
  }
}

/** `/login?redirect=<here>`, so that signing in leads back to where one was. */
export function loginPath({ pathname, search }: { pathname: string; search: string }): string {
  return `/login?redirect=${encodeURIComponent(pathname + search)}`
}

/**
 * A `redirect` value as a path on our own origin, or null when it leads (or might lead) anywhere else.
 * It must start with a single slash and hold nothing that some browser or proxy reads as another one: what a URL
 * parser makes of it is looked at, not its text alone.
 */
export function safeRedirect(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\/(?![/\\])/.test(value) || /[\\\p{Cc}]/u.test(value)) return null
  const base = 'https://reelmark.invalid'
  if (!URL.canParse(value, base)) return null
  const url = new URL(value, base)
  // After dot segments are resolved, '/a/..//evil' begins with two slashes: a host to whoever reads it next.
  if (url.origin !== base || url.pathname.startsWith('//')) return null
  return url.pathname + url.search + url.hash
}
