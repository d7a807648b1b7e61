import { useEffect } from 'react'
import { onIdentityChange } from '../../../shared/session/session-store.ts'
import { useDeferredComponent } from '../../../ui/use-deferred-component.ts'
import { stopVideo, useNowPlaying } from './now-playing.ts'

/** The place of the player in the shell. Its code is loaded when the first video plays. */
export function PlayerDock() {
  const playing = useNowPlaying()
  const ShellPlayer = useDeferredComponent(playing !== null, loadShellPlayer)
  // The video may be visible to the previous user only.
  useEffect(() => onIdentityChange(stopVideo), [])
  return playing !== null && ShellPlayer !== null && <ShellPlayer playing={playing} />
}

const loadShellPlayer = () => import('./shell-player.tsx').then((module) => module.ShellPlayer)
