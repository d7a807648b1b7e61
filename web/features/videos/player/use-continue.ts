import { useAutoplayNext } from '../watching/autoplay-next.ts'
import { findStart } from '../watching/start-playing.ts'
import type { PlayQueueView } from '../watching/use-play-queue.ts'
import type { NowPlaying } from './now-playing.ts'
import { requestPlay } from './play-request.ts'
import { usePlayNext } from './use-play-next.ts'

/**
 * Returns a function for the end of a video in the mini-player. It plays what the list plays next: the same video, the next
 * one, or the first one. Without any of them the player closes.
 */
export function useContinue(playing: NowPlaying, view: PlayQueueView | null): () => Promise<void> {
  const playNext = usePlayNext(playing)
  const autoplays = useAutoplayNext()
  const { bookmark, context } = playing

  function replay(): void {
    requestPlay({ bookmarkId: bookmark.id, seconds: bookmark.start_seconds ?? 0, action: 'play' })
  }

  return async () => {
    const following = view?.following ?? []
    const beginsAgain = view !== null && following.length === 0 && context.repeat === 'all'
    if (context.repeat === 'one' || (beginsAgain && view.queue.count === 1)) return replay()
    if (!autoplays) return playNext([])
    if (!beginsAgain) return playNext(following)
    const first = await findStart(context, bookmark.id, { fromBeginning: true })
    if (first === bookmark.id) replay()
    else await playNext([{ id: first, title: 'From the beginning' }])
  }
}
