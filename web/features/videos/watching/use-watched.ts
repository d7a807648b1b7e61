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
  /** Undefined for visitors. */
  isWatched: boolean | undefined
}

/** Returns whether the viewer has watched a video, updated optimistically, and a function to toggle it. */
export function useWatched({ videoId, isWatched = false }: WatchedState) {
  const client = useQueryClient()
  const requireSignIn = useRequireSignIn()
  const { isOn, toggle } = useOptimisticToggle({
    isOn: isWatched,
    send: (on) => api(on ? markWatched : unmarkWatched, { params: { id: videoId } }),
    getIsOn: (reply) => reply.is_watched,
    onReply: (reply) => cacheWatched(client, videoId, reply.is_watched),
    onFailure: () => toast("Couldn't update watched status. Try again.", { tone: 'danger' }),
  })
  return { isWatched: isOn, toggle: () => requireSignIn() && toggle() }
}

/** Stores the mark in all cached bookmarks and cards of the video. */
export function cacheWatched(client: QueryClient, videoId: number, isWatched: boolean): void {
  client.setQueriesData<Bookmark>({ queryKey: ['bookmark'] }, (bookmark) =>
    bookmark?.video.id === videoId ? { ...bookmark, is_watched: isWatched } : bookmark,
  )
  patchCachedCards(client, videoId, { is_watched: isWatched })
  // Pins have a mark, too.
  void client.invalidateQueries({ queryKey: ['profile'], refetchType: 'none' })
  // Requests in progress may not contain the mark.
  void client.invalidateQueries({
    predicate: ({ queryKey: [kind], state }) =>
      (kind === 'videos' || kind === 'bookmark') && state.fetchStatus === 'fetching',
  })
}
