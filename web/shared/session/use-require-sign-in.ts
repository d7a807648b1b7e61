import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { loginPath } from './redirects.ts'
import { getSession } from './session-store.ts'

/**
 * For what only signed-in people can do, where visitors see it too.
 * @returns a function that answers whether somebody is signed in; whoever is not is led to /login, with the way back.
 */
export function useRequireSignIn(): () => boolean {
  const { history } = useRouter()
  return useCallback(() => {
    if (getSession().status === 'signed-in') return true
    history.push(loginPath(history.location))
    return false
  }, [history])
}
