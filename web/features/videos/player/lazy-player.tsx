import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { useEffect } from 'react'
import { requestPlay, usePlayRequest } from './play-request.ts'
import { ResumeOffer } from './time-controls.tsx'
import { useSpaceKey } from './use-space-key.ts'

interface LazyPlayerProps {
  bookmark: Bookmark
  isPlaying: boolean
  /** Loads the player. */
  play: (startSeconds: number) => void
  /** Whether the viewer pressed play. The player is loaded as soon as it is known where it starts. */
  isPressed: boolean
}

/** What the player consists of besides its thumbnail and play button; loaded after the page is shown. */
export function LazyPlayer({ bookmark, isPlaying, play, isPressed }: LazyPlayerProps) {
  const request = usePlayRequest(bookmark.id)
  // A request ends with the page of its bookmark.
  useEffect(() => () => requestPlay(null), [])
  const isKnown = bookmark.video.player === 'known'
  const seconds = request?.seconds ?? bookmark.start_seconds ?? 0
  // The player of an unknown host is loaded only by a control that names the host.
  useSpaceKey(isPlaying ? null : () => (isKnown ? play(seconds) : focusFacade()))
  useEffect(() => {
    if (isPlaying) return
    if (isPressed) return play(seconds)
    if (request === null || request.action === 'prepare') return
    if (isKnown || request.action === 'play') play(seconds)
    else focusFacade()
  }, [isPlaying, isPressed, request, isKnown, seconds, play])
  return !isPlaying && bookmark.video.start_parameter !== null && <ResumeOffer bookmark={bookmark} />
}

function focusFacade(): void {
  document.querySelector<HTMLElement>('.stage > .facade')?.focus()
}
