import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { onIdentityChange } from '../../../shared/session/session-store.ts'
import { useDeferredComponent } from '../../../ui/use-deferred-component.ts'
import { stopVideo, useNowPlaying } from './now-playing.ts'

/**
 * The player of the shell, at the beginning of the content, so that the focus reaches it before the rest of the page. Its code
 * is loaded when the first video plays.
 */
export function PlayerDock() {
  const playing = useNowPlaying()
  const ShellPlayer = useDeferredComponent(playing !== null, loadShellPlayer)
  // The video may be visible to the previous user only.
  useEffect(() => onIdentityChange(stopVideo), [])
  const place = playing === null ? null : document.getElementById('player-dock')
  if (playing === null || place === null || ShellPlayer === null) return null
  return createPortal(<ShellPlayer playing={playing} />, place)
}

const loadShellPlayer = () => import('./shell-player.tsx').then((module) => module.ShellPlayer)
