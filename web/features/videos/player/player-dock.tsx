import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { onIdentityChange } from '../../../shared/session/session-store.ts'
import { toastLoadingFailure } from '../../../ui/toast.tsx'
import { useRequiredComponent } from '../../../ui/use-deferred-component.ts'
import { stopVideo, useNowPlaying } from './now-playing.ts'
import type { ShellPlayerProps } from './shell-player.tsx'

/**
 * The player of the shell, at the beginning of the content, so that the focus reaches it before the rest of the page. Its code
 * is loaded when the first video plays.
 */
export function PlayerDock({ renderMore }: Pick<ShellPlayerProps, 'renderMore'>) {
  const playing = useNowPlaying()
  const ShellPlayer = useRequiredComponent(playing !== null, loadShellPlayer)
  // The video may be visible to the previous user only.
  useEffect(() => onIdentityChange(stopVideo), [])
  useEffect(() => {
    if (ShellPlayer !== 'failed') return
    stopVideo()
    // Browsers remember that code could not be loaded until the page is loaded again.
    toastLoadingFailure({ label: 'Try again', run: () => window.location.reload() })
  }, [ShellPlayer])
  const container = playing === null ? null : document.getElementById('player-dock')
  if (playing === null || container === null) return null
  if (ShellPlayer === null || ShellPlayer === 'failed') return null
  return createPortal(<ShellPlayer playing={playing} renderMore={renderMore} />, container)
}

const loadShellPlayer = () => import('./shell-player.tsx').then((module) => module.ShellPlayer)
