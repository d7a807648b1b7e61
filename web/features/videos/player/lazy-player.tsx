import { useEffect } from 'react'
import { usePlayRequest } from './play-request.ts'
import { PlayerFrame, type PlayerFrameProps } from './player-frame.tsx'
import { ResumeOffer } from './time-controls.tsx'
import { useSpaceKey } from './use-space-key.ts'

export interface LazyPlayerProps extends Omit<PlayerFrameProps, 'request' | 'startSeconds'> {
  isPlaying: boolean
  setPlaying: (isPlaying: boolean) => void
}

/** What the player consists of besides its thumbnail and play button; loaded after the page is shown. */
export function LazyPlayer({ isPlaying, setPlaying, ...frame }: LazyPlayerProps) {
  const { bookmark } = frame
  const request = usePlayRequest(bookmark.id)
  const isKnown = bookmark.video.player === 'known'
  // The player of an unknown host is loaded only by a control that names the host.
  const start = () => {
    if (isKnown) setPlaying(true)
    else document.querySelector<HTMLElement>('.stage > .facade')?.focus()
  }
  useSpaceKey(isPlaying ? null : start)
  useEffect(() => {
    if (isPlaying || request === null || request.action === 'prepare') return
    // The player of an unknown host is loaded only by a control that names the host.
    if (isKnown || request.action === 'play') setPlaying(true)
    else document.querySelector<HTMLElement>('.stage > .facade')?.focus()
  }, [isPlaying, request, isKnown, setPlaying])
  if (isPlaying) {
    const startSeconds = request?.seconds ?? bookmark.start_seconds ?? 0
    return <PlayerFrame {...frame} request={request} startSeconds={startSeconds} />
  }
  return bookmark.video.start_parameter !== null && <ResumeOffer bookmark={bookmark} />
}
