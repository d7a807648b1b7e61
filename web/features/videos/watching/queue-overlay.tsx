import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { recordEnd } from '@reelmark/contract/playback.ts'
import { useQueryClient } from '@tanstack/react-query'
import SkipForward from 'lucide-react/icons/skip-forward'
import { useEffect, useRef } from 'react'
import { api } from '../../../shared/api/api.ts'
import { getSession } from '../../../shared/session/session-store.ts'
import { Button } from '../../../ui/button.tsx'
import { requestPlay } from '../player/play-request.ts'
import { useAutoplayNext } from './autoplay-next.ts'
import { findStart } from './start-playing.ts'
import { UpNext } from './up-next.tsx'
import type { QueuePlayback } from './use-queue-playback.ts'
import { useSwipe } from './use-swipe.ts'
import { cacheWatched } from './use-watched.ts'

/** What is shown on top of a video in a play queue: the countdown to the next one, or a button to skip it. */
export function QueueOverlay({ bookmark, playback }: { bookmark: Bookmark; playback: QueuePlayback }) {
  const { id, video, start_seconds } = bookmark
  const { view, ended, context } = playback
  const autoplays = useAutoplayNext()
  const recordAssumedEnd = useRecordEnd(video.id)
  const next = view?.next ?? null
  const beginsAgain = next === null && context.repeat === 'all'
  const isPlayedAgain =
    ended !== null && (context.repeat === 'one' || (beginsAgain && view?.queue.count === 1))

  useSwipe(
    () => playback.goTo(next),
    () => playback.goTo(view?.previous ?? null),
  )

  const replay = () => {
    playback.stay()
    requestPlay({ bookmarkId: id, seconds: start_seconds ?? 0, action: 'play' })
  }
  const latestReplay = useRef(replay)
  useEffect(() => {
    latestReplay.current = replay
  })
  useEffect(() => {
    if (isPlayedAgain) latestReplay.current()
  }, [isPlayedAgain])

  if (view === null || isPlayedAgain) return null
  if (ended !== null && autoplays && (next !== null || beginsAgain)) {
    return (
      <UpNext
        key={id}
        title={next === null ? 'From the beginning' : next.title || 'Untitled Bookmark'}
        isAssumed={ended.isAssumed}
        onCancel={playback.stay}
        onGo={() => {
          // The player reported nothing, so that nothing has recorded the end.
          if (ended.isAssumed) recordAssumedEnd()
          if (next === null) void goToBeginning(bookmark, playback)
          else playback.goTo(next, { isAutomatic: true })
        }}
      />
    )
  }
  if (video.embed_url !== null || next === null) return null
  return (
    <div className="absolute inset-x-0 bottom-4 flex justify-center px-4">
      <Button className="max-w-full" onClick={() => playback.goTo(next)}>
        <SkipForward className="size-4 shrink-0" />
        <span className="truncate">Skip to {next.title || 'Untitled Bookmark'}</span>
      </Button>
    </div>
  )
}

/** Plays the queue again from its first video. */
async function goToBeginning({ id }: Bookmark, { context, goTo }: QueuePlayback): Promise<void> {
  goTo({ id: await findStart(context, id, { fromBeginning: true }) }, { isAutomatic: true })
}

/** Returns a function that marks a video as watched, as the end of a video does. */
function useRecordEnd(videoId: number): () => void {
  const client = useQueryClient()
  return () => {
    if (getSession().status !== 'signed-in') return
    void api(recordEnd, { params: { id: videoId } }).then(
      ({ is_watched }) => cacheWatched(client, videoId, is_watched),
      // The next video plays anyway; the mark can be set by hand.
      () => undefined,
    )
  }
}
