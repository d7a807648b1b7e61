import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'
import { safeRedirect } from '../../../shared/session/redirects.ts'
import { hasSession, useSession } from '../../../shared/session/session.ts'
import { getSession } from '../../../shared/session/session-store.ts'

/** Returns the path to open after a login: the `redirect` value, else the user's profile, else home. */
export function pathAfterLogin(redirect: unknown, username: string | null): string {
  const path = safeRedirect(redirect)
  // Back to a page that sends signed-in people away would go round and round.
  if (path !== null && !/^\/(login|register)(?![^/?#])/.test(path)) return path
  return username === null ? '/' : `/users/${encodeURIComponent(username)}`
}

/** Goes to a path of this site in place of the page one is at: Back does not lead to a form that is done. */
export function useReplacePath(): (path: string) => void {
  const { history } = useRouter()
  return useCallback((path) => history.replace(path), [history])
}

/**
 * For a page where one signs in, in whichever way: does it, and goes where that leads. Whoever is signed in already is
 * sent there at once.
 * @returns a function that throws what the attempt throws.
 */
export function useSignInAndRedirect(redirect: unknown): (attempt: () => Promise<void>) => Promise<void> {
  const isSigningIn = useRef(false)
  const go = useReplacePath()
  useRedirectWhenSignedIn(
    redirect,
    useCallback(() => !isSigningIn.current, []),
  )
  return useCallback(
    async (attempt) => {
      isSigningIn.current = true
      try {
        await attempt()
        go(pathAfterLogin(redirect, getSession().username))
      } catch (error) {
        isSigningIn.current = false
        throw error
      }
    },
    [redirect, go],
  )
}

/**
 * Sends whoever is signed in already where a login would have led.
 * @param enabled false while the page itself signs somebody in, and decides what comes next.
 */
export function useRedirectWhenSignedIn(redirect: unknown, enabled: () => boolean): void {
  const { status, username } = useSession()
  const go = useReplacePath()
  useEffect(() => {
    if (status !== 'signed-in' || !enabled()) return
    let isUnmounted = false
    // A session that is over in truth must not be sent to a page that sends it back here.
    void hasSession().then((signedIn) => {
      if (signedIn && !isUnmounted) go(pathAfterLogin(redirect, username))
    })
    return () => {
      isUnmounted = true
    }
  }, [status, username, redirect, enabled, go])
}
