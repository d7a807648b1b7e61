import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import type { ListingItem } from '@reelmark/contract/listing.ts'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { PlaybackState } from '../player/embedded-players.ts'
import { stopVideo } from '../player/now-playing.ts'
import type { PlayContext } from './play-queue.ts'
import { requestedStart, requestStart } from './start-request.ts'
import { usePlayQueue } from './use-play-queue.ts'

/** A step within the queue replaces the entry of the history, so that Back leads to where the queue was started. */
const inQueue = { to: '/bookmarks/$id', replace: true } as const

/**
 * Controls the playback of a bookmark within a play queue. The end of a video leads to the next one. For players that
 * report nothing, the video is assumed to end after its duration.
 */
export function useQueuePlayback({ id }: Bookmark, context: PlayContext) {
  const router = useRouter()
  const view = usePlayQueue(id, context)
  /** The bookmark whose player starts automatically, and the one whose video ended. */
  const [toStart, setToStart] = useState(requestedStart)
  const [ended, setEnded] = useState<{ id: number; isAssumed: boolean } | null>(null)
  const hasStarted = useRef(false)
  useEffect(() => requestStart(null), [])

  const linkTo = (item: Pick<ListingItem, 'id'>) =>
    ({ ...inQueue, params: { id: String(item.id) }, search: context }) as const

  /** Continues playback on the next page only if it had started on this one. */
  function leaveFor(item: Pick<ListingItem, 'id'>): void {
    if (hasStarted.current) setToStart(item.id)
    // It does not continue in the mini-player.
    stopVideo()
    setEnded(null)
  }

  function goTo(item: Pick<ListingItem, 'id'> | null, { isAutomatic = false } = {}): void {
    if (item === null) return
    leaveFor(item)
    void router.navigate({ ...linkTo(item), resetScroll: !isAutomatic })
  }

  return {
    view,
    context,
    linkTo,
    leaveFor,
    goTo,
    /** Whether the video ended, by its player's report or because its duration passed. */
    ended: ended?.id === id ? ended : null,
    stay: () => setEnded(null),
    player: {
      context,
      goTo: (item: Pick<ListingItem, 'id'>) => goTo(item, { isAutomatic: true }),
      canDock: true,
      start: toStart === id,
      onStart: () => {
        hasStarted.current = true
      },
      onState(state: PlaybackState): void {
        const isEnded = state !== 'playing'
        setEnded(isEnded ? { id, isAssumed: state === 'assumed-ended' } : null)
        // Preloads the next page during the countdown.
        if (isEnded && view?.next) void router.preloadRoute(linkTo(view.next)).catch(() => undefined)
      },
    },
  }
}

export type QueuePlayback = ReturnType<typeof useQueuePlayback>
