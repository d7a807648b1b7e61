import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { startSession, useSession } from '../../session.ts'
import { onIdentityChange } from '../../session-store.ts'
import { followShortcuts } from './shortcuts.ts'

/** What runs beside every page: the session, focus after navigation, shortcuts. Shows nothing. */
export function PageEffects() {
  useFreshDataForViewer()
  useFocusAfterNavigation()
  const router = useRouter()
  const { username } = useSession()
  useEffect(() => startSession(), [])
  useEffect(() => followShortcuts(router, username), [router, username])
  return null
}

/** The server renders for a visitor; whoever is signed in asks again, and again when somebody else is. */
function useFreshDataForViewer(): void {
  const router = useRouter()
  const queryClient = useQueryClient()
  const { status } = useSession()
  useEffect(() => {
    if (status !== 'signed-in') return
    document.documentElement.dataset.session = 'user'
    void queryClient.invalidateQueries()
    // What a visitor may not see was answered with 404; its page has no query to ask again.
    if (router.state.matches.some((match) => match.status === 'notFound' || match.status === 'error')) {
      void router.invalidate()
    }
    return () => {
      delete document.documentElement.dataset.session
    }
  }, [status, queryClient, router])
  useEffect(
    () =>
      onIdentityChange(() => {
        queryClient.clear()
        void router.invalidate()
      }),
    [queryClient, router],
  )
}

/** After a change of page the keyboard and screen readers start at its content, as after a full load. */
function useFocusAfterNavigation(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined || !pathChanged || window.location.hash !== '') return
        const main = document.getElementById('content')
        // A page that puts the focus somewhere itself (a form's first field) keeps it.
        if (main === null || main.contains(document.activeElement)) return
        main.focus({ preventScroll: true })
      }),
    [router],
  )
}
