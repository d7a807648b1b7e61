import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useAdultConsent } from '../../shared/adult/adult-consent.ts'
import { startSession, useSession } from '../../shared/session/session.ts'
import { onIdentityChange } from '../../shared/session/session-store.ts'
import { markViewerDataReady } from '../../shared/session/viewer-data-ready.ts'
import { useDeferredComponent } from '../../ui/use-deferred-component.ts'
import { rememberEarlyKey } from './early-keys.ts'

/** Runs the effects of every page: the session, and those that can start after the page is shown. */
export function PageEffects() {
  useFreshDataForViewer()
  useEffect(() => startSession(), [])
  useEffect(() => rememberEarlyKey(), [])
  useEffect(() => {
    // Marks that hydration is complete; end-to-end tests wait for it.
    document.documentElement.dataset.alive = ''
  }, [])
  const BackgroundEffects = useDeferredComponent(true, loadBackgroundEffects)
  return BackgroundEffects && <BackgroundEffects />
}

const loadBackgroundEffects = () =>
  import('./background-effects.tsx').then((module) => module.BackgroundEffects)

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
