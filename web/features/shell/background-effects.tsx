import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { onIdentityChange } from '../../shared/session/session-store.ts'
import { dismissToasts } from '../../ui/toast.tsx'
import { Toaster } from '../../ui/toaster.tsx'
import { PlayerDock } from '../videos/public-api.ts'
import { GlobalShortcuts } from './global-shortcuts.tsx'
import { NavigationProgress } from './navigation-progress.tsx'
import { OfflineNotice } from './offline-notice.tsx'
import { PlayerProblemActions } from './player-problem-actions.tsx'
import { registerOfflinePage } from './register-offline-page.ts'
import { SaveSheetHost } from './save-sheet-host.tsx'
import { SignInDialogHost } from './sign-in-dialog/sign-in-dialog-host.tsx'
import { UploadNotice } from './upload-notice.tsx'

/**
 * What a page does not need until it is shown: shortcuts, progress and focus of navigation, the notices while offline
 * and of an upload, toasts, the save sheet, the question to sign in, the offline page, and the player. Every page loads it
 * afterwards.
 */
export function BackgroundEffects() {
  useFocusAfterNavigation()
  useMachineTagsOfFirstPage()
  useEffect(() => registerOfflinePage(), [])
  useEffect(() => onIdentityChange(dismissToasts), [])
  return (
    <>
      <GlobalShortcuts />
      <NavigationProgress />
      <OfflineNotice />
      <UploadNotice />
      <PlayerDock
        renderMore={({ bookmark, title }) => <PlayerProblemActions bookmark={bookmark} title={title} />}
      />
      <SaveSheetHost />
      <SignInDialogHost />
      <Toaster />
    </>
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
        const focused = document.activeElement
        // Pages that set the focus themselves, for example to a form's first field, keep it, and so does a search that is
        // being typed.
        if (main === null || main.contains(focused) || focused instanceof HTMLInputElement) return
        main.focus({ preventScroll: true })
      }),
    [router],
  )
}

/** The tags that web/shared/pages/machine-head.ts adds. Those of the page that is shown are marked. */
const machineTags =
  'link[rel=alternate]:not([data-feed]), meta[property^="og:video"], meta[name^="twitter:player"], meta[name="twitter:card"][content=player]'

/**
 * Removes the tags for feed readers and other sites after navigation. Only the server writes them, so they would still
 * describe the page that was opened first.
 */
function useMachineTagsOfFirstPage(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
        if (fromLocation === undefined) return
        if (!pathChanged && fromLocation.searchStr === toLocation.searchStr) return
        for (const tag of document.head.querySelectorAll(machineTags)) tag.remove()
      }),
    [router],
  )
}
