import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { loginPath } from './redirects.ts'
import { getSession } from './session-store.ts'

/**
 * Returns a function for actions that visitors see but only signed-in users can do. It returns whether a user is signed
 * in, and leads visitors to /login with the way back.
 */
export function useRequireSignIn(): () => boolean {
  const { history } = useRouter()
  return useCallback(() => {
    if (getSession().status === 'signed-in') return true
    history.push(loginPath(history.location))
    return false
  }, [history])
}
