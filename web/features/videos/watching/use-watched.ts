import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { markWatched, unmarkWatched } from '@reelmark/contract/watching.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'
import { useOptimisticToggle } from '../../../shared/hooks/use-optimistic-toggle.ts'
import { useRequireSignIn } from '../../../shared/session/use-require-sign-in.ts'
import { toast } from '../../../ui/toast.tsx'
import { patchCachedCards } from '../patch-cached-cards.ts'

interface WatchedState {
  videoId: number
  /** Undefined, as it is told of what was not: false. */
  isWatched: boolean | undefined
}

/** Whether one has watched a video, shown as wanted at once and taken back where the server does not go along. */
export function useWatched({ videoId, isWatched = false }: WatchedState) {
  const client = useQueryClient()
  const signedIn = useRequireSignIn()
  const { isOn, toggle } = useOptimisticToggle({
    isOn: isWatched,
    send: (on) => api(on ? markWatched : unmarkWatched, { params: { id: videoId } }),
    getIsOn: (reply) => reply.is_watched,
    onReply: (reply) => cacheWatched(client, videoId, reply.is_watched),
    onFailure: () => toast("Couldn't update watched status. Try again.", { tone: 'danger' }),
  })
  return { isWatched: isOn, toggle: () => signedIn() && toggle() }
}

/** Puts the mark on every bookmark and card of the video, whatever list the card is in. */
export function cacheWatched(client: QueryClient, videoId: number, isWatched: boolean): void {
  client.setQueriesData<Bookmark>({ queryKey: ['bookmark'] }, (bookmark) =>
    bookmark?.video.id === videoId ? { ...bookmark, is_watched: isWatched } : bookmark,
  )
  patchCachedCards(client, videoId, { is_watched: isWatched })
  // What was being asked for when the mark came may not know of it.
  void client.invalidateQueries({
    predicate: ({ queryKey: [kind], state }) =>
      (kind === 'videos' || kind === 'bookmark') && state.fetchStatus === 'fetching',
  })
}
