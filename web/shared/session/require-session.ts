import { redirect } from '@tanstack/react-router'
import { loginPath } from './redirects.ts'
import { hasSession } from './session.ts'

/**
 * A guard for `beforeLoad` of pages that need somebody: refreshes a session near its end, and sends whoever is not
 * signed in to /login with the way back. The route says `ssr: false`: the server cannot know who is signed in, so it
 * renders the route's `pendingComponent`, and this runs in the browser.
 */
export async function requireSession({
  location,
}: {
  location: { pathname: string; searchStr: string }
}): Promise<void> {
  if (await hasSession()) return
  const { pathname, searchStr } = location
  throw redirect({ href: loginPath({ pathname, search: searchStr }), replace: true })
}
