import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useAdultConsent } from '../../shared/adult/adult-consent.ts'
import { startSession, useSession } from '../../shared/session/session.ts'
import { onIdentityChange } from '../../shared/session/session-store.ts'
import { markViewerDataReady } from '../../shared/session/viewer-data-ready.ts'
import { GlobalShortcuts } from './global-shortcuts.tsx'
import { registerOfflinePage } from './register-offline-page.ts'

/** What runs beside every page: the session, focus after navigation, shortcuts. Shows nothing until `?` asks for them. */
export function PageEffects() {
  useFreshDataForViewer()
  useFocusAfterNavigation()
  useEffect(() => startSession(), [])
  useEffect(() => registerOfflinePage(), [])
  useEffect(() => {
    // Here keys and presses are heard; journeys wait for it.
    document.documentElement.dataset.alive = ''
  }, [])
  return <GlobalShortcuts />
}

/**
 * The server renders for a visitor who has confirmed nothing; whoever is signed in, or said on this device that they
 * are 18 or older, asks again. And everybody does when somebody else is signed in.
 */
function useFreshDataForViewer(): void {
  const router = useRouter()
  const queryClient = useQueryClient()
  const { status } = useSession()
  const isAdult = useAdultConsent()
  useEffect(() => {
    if (status === 'signed-in' || isAdult) void queryClient.invalidateQueries()
  }, [status, isAdult, queryClient])
  useEffect(() => {
    // Also where half of a session was left behind, which looked like one before the first paint.
    if (status === 'signed-out') delete document.documentElement.dataset.session
    if (status !== 'signed-in') return
    document.documentElement.dataset.session = 'user'
    // What a visitor may not see was answered with 404; its page has no query to ask again.
    const missed = router.state.matches.some(({ status }) => status === 'notFound' || status === 'error')
    void Promise.resolve(missed ? router.invalidate() : undefined).finally(markViewerDataReady)
    return () => {
      delete document.documentElement.dataset.session
    }
  }, [status, router])
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
