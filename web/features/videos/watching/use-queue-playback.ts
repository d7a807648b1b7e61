import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import type { ListingItem } from '@reelmark/contract/listing.ts'
import { useRouter } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { getSession } from '../../../shared/session/session-store.ts'
import type { PlayerState } from '../player/embedded-players.ts'
import { type PlayContext, usePlayQueue } from './play-queue.ts'
import { useWatched } from './use-watched.ts'

/**
 * Controls the playback of a bookmark within a play queue. The end of a video marks it as watched and leads to the next
 * one. Some players do not report the end; then users press Next.
 */
export function useQueuePlayback({ id, video, is_watched }: Bookmark, search: PlayContext) {
  const router = useRouter()
  const view = usePlayQueue(id, search)
  const watched = useWatched({ videoId: video.id, isWatched: is_watched })
  /** The bookmark whose player starts automatically, and the one whose video ended. */
  const [toStart, setToStart] = useState<number | null>(null)
  const [ended, setEnded] = useState<number | null>(null)
  const hasStarted = useRef(false)

  const linkTo = (item: ListingItem) =>
    ({ to: '/bookmarks/$id', params: { id: String(item.id) }, search }) as const

  /** Continues playback on the next page only if it had started on this one. */
  function leaveFor(item: ListingItem): void {
    if (hasStarted.current) setToStart(item.id)
    setEnded(null)
  }

  function goTo(item: ListingItem | null, { isAutomatic = false } = {}): void {
    if (item === null) return
    leaveFor(item)
    void router.navigate({ ...linkTo(item), resetScroll: !isAutomatic })
  }

  function onState(state: PlayerState): void {
    setEnded(state === 'ended' ? id : null)
    if (state !== 'ended') return
    if (getSession().status === 'signed-in' && !watched.isWatched) watched.toggle()
    // Preloads the next page during the countdown.
    if (view?.next) void router.preloadRoute(linkTo(view.next)).catch(() => undefined)
  }

  return {
    view,
    linkTo,
    leaveFor,
    goTo,
    isEnded: ended === id,
    stay: () => setEnded(null),
    player: {
      start: toStart === id,
      onStart: () => {
        hasStarted.current = true
      },
      onState,
    },
  }
}

export type QueuePlayback = ReturnType<typeof useQueuePlayback>
