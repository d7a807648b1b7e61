import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useAdultConsent } from '../../shared/adult/adult-consent.ts'
import { useDeferredComponent } from '../../shared/hooks/use-deferred-component.ts'
import { startSession, useSession } from '../../shared/session/session.ts'
import { onIdentityChange } from '../../shared/session/session-store.ts'
import { markViewerDataReady } from '../../shared/session/viewer-data-ready.ts'
import { registerOfflinePage } from './register-offline-page.ts'

/** Runs the effects of every page: session, focus after navigation, shortcuts, offline page. */
export function PageEffects() {
  useFreshDataForViewer()
  useFocusAfterNavigation()
  useEffect(() => startSession(), [])
  useEffect(() => registerOfflinePage(), [])
  useEffect(() => {
    // Marks that hydration is complete; end-to-end tests wait for it.
    document.documentElement.dataset.alive = ''
  }, [])
  const GlobalShortcuts = useDeferredComponent(true, loadGlobalShortcuts)
  return GlobalShortcuts && <GlobalShortcuts />
}

/** Loaded after the page is shown, because keys are pressed later than that. */
const loadGlobalShortcuts = () => import('./global-shortcuts.tsx').then((module) => module.GlobalShortcuts)

/**
 * Refetches data when the viewer differs from the one the page was rendered for. The server renders for a visitor
 * without age confirmation, so signed-in users and visitors who confirmed their age refetch, and so does every page
 * when another user signs in.
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
    // Also corrects the first paint if only part of a session was stored.
    if (status === 'signed-out') delete document.documentElement.dataset.session
    if (status !== 'signed-in') return
    document.documentElement.dataset.session = 'user'
    // Pages that responded 404 to the visitor have no query to refetch, so their routes are loaded again.
    const hasFailedRoute = router.state.matches.some(
      ({ status }) => status === 'notFound' || status === 'error',
    )
    void Promise.resolve(hasFailedRoute ? router.invalidate() : undefined).finally(markViewerDataReady)
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

/** Moves the focus to the content after navigation, as a full page load would. */
function useFocusAfterNavigation(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined || !pathChanged || window.location.hash !== '') return
        const main = document.getElementById('content')
        // Pages that set the focus themselves, for example to a form's first field, keep it.
        if (main === null || main.contains(document.activeElement)) return
        main.focus({ preventScroll: true })
      }),
    [router],
  )
}
