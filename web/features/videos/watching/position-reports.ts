import { recordEnd, savePosition } from '@reelmark/contract/playback.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api } from '../../../shared/api/api.ts'
import { getSession } from '../../../shared/session/session-store.ts'
import { toast } from '../../../ui/toast.tsx'
import type { PlayerState } from '../player/player-protocols.ts'
import { createPositionReporter } from './position-reporter.ts'
import { positionQuery } from './queries.ts'
import { cacheWatched } from './use-watched.ts'

/**
 * Stores where a signed-in user is in a video, also when they leave the page. The end of the video marks it as watched
 * instead.
 */
export function usePositionReports(videoId: number) {
  const client = useQueryClient()
  const reporter = useRef<ReturnType<typeof createPositionReporter> | null>(null)
  useEffect(() => {
    const current = createPositionReporter(async (seconds) => {
      const { is_stored } = await api(savePosition, { params: { id: videoId }, body: { seconds } })
      if (is_stored) client.setQueryData(positionQuery(videoId).queryKey, seconds)
      return is_stored
    })
    reporter.current = current
    const onHidden = () => document.visibilityState === 'hidden' && current.flush()
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      document.removeEventListener('visibilitychange', onHidden)
      current.flush()
    }
  }, [client, videoId])

  function end(): void {
    reporter.current?.end()
    api(recordEnd, { params: { id: videoId } }).then(
      ({ is_watched }) => {
        client.setQueryData(positionQuery(videoId).queryKey, null)
        cacheWatched(client, videoId, is_watched)
      },
      () => toast("Couldn't update watched status. Try again.", { tone: 'danger' }),
    )
  }

  return {
    onSeconds(seconds: number) {
      if (isSignedIn()) reporter.current?.report(seconds)
    },
    onState(state: PlayerState) {
      if (state === 'playing') reporter.current?.resume()
      else if (isSignedIn()) end()
    },
  }
}

const isSignedIn = () => getSession().status === 'signed-in'
