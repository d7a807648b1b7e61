import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { loginPath } from './redirects.ts'
import { getSession } from './session-store.ts'
import type { Intent } from './sign-in-intent.ts'

let openSignInDialog: ((intent: Intent) => void) | null = null

/** Registers the function that shows a visitor why an account is needed; null removes it. */
export function registerSignInDialog(open: typeof openSignInDialog): void {
  openSignInDialog = open
}

/**
 * Returns a function for actions that visitors see but only signed-in users can do. It returns whether a user is signed
 * in. Visitors are asked to sign in for an intent, which is then completed; without one, and until the dialog is loaded, they
 * are led to /login with the way back.
 */
export function useRequireSignIn(): (intent?: Intent) => boolean {
  const { history } = useRouter()
  return useCallback(
    (intent) => {
      if (getSession().status === 'signed-in') return true
      if (intent !== undefined && openSignInDialog !== null) openSignInDialog(intent)
      else history.push(loginPath(history.location))
      return false
    },
    [history],
  )
}
