import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'
import { safeRedirect } from '../../../shared/session/redirects.ts'
import { hasSession, useSession } from '../../../shared/session/session.ts'
import { getSession } from '../../../shared/session/session-store.ts'

/** Returns the path to open after a login: the `redirect` value, else the user's profile, else home. */
export function pathAfterLogin(redirect: unknown, username: string | null): string {
  const path = safeRedirect(redirect)
  // These pages redirect signed-in users, which would cause a loop.
  if (path !== null && !/^\/(login|register)(?![^/?#])/.test(path)) return path
  return username === null ? '/' : `/users/${encodeURIComponent(username)}`
}

/** Returns a function that replaces the current page, so that the back button does not lead to the submitted form. */
export function useReplacePath(): (path: string) => void {
  const { history } = useRouter()
  return useCallback((path) => history.replace(path), [history])
}

/**
 * For sign-in pages: returns a function that runs a sign-in attempt, then goes to `pathAfterLogin`. A user who is
 * already signed in is redirected immediately. The function throws what the attempt throws.
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
 * Redirects a user who is already signed in to `pathAfterLogin`.
 * @param enabled returns false while the page itself signs the user in and decides where to go.
 */
export function useRedirectWhenSignedIn(redirect: unknown, enabled: () => boolean): void {
  const { status, username } = useSession()
  const go = useReplacePath()
  useEffect(() => {
    if (status !== 'signed-in' || !enabled()) return
    let isUnmounted = false
    // Checks that the session is still valid; otherwise the next page would redirect back here.
    void hasSession().then((signedIn) => {
      if (signedIn && !isUnmounted) go(pathAfterLogin(redirect, username))
    })
    return () => {
      isUnmounted = true
    }
  }, [status, username, redirect, enabled, go])
}
