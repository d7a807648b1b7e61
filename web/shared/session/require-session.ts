import { redirect } from '@tanstack/react-router'
import { loginPath } from './redirects.ts'
import { hasSession } from './session.ts'

/**
 * Guards pages for signed-in users, as `beforeLoad`: refreshes a session about to expire, and redirects visitors to
 * /login with the way back. Such routes have `ssr: false`: the server does not know the session, so it renders the
 * route's `pendingComponent`, and the guard runs in the browser.
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
