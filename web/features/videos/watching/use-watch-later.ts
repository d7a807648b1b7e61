import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { toggleWatchLater } from '@reelmark/contract/collect.ts'
import type { ListingQuery } from '@reelmark/contract/listing.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'
import { useOptimisticToggle } from '../../../shared/hooks/use-optimistic-toggle.ts'
import { useRequireSignIn } from '../../../shared/session/use-require-sign-in.ts'
import { toast } from '../../../ui/toast.tsx'
import { patchCachedCards } from '../patch-cached-cards.ts'

interface WatchLaterState {
  videoId: number
  /** Undefined for visitors. */
  isInWatchLater: boolean | undefined
}

/** Returns whether a video is in the viewer's Watch Later, updated optimistically, and a function to toggle it. */
export function useWatchLater({ videoId, isInWatchLater = false }: WatchLaterState) {
  const client = useQueryClient()
  const requireSignIn = useRequireSignIn()
  const { isOn, toggle } = useOptimisticToggle({
    isOn: isInWatchLater,
    send: () => api(toggleWatchLater, { params: { id: videoId } }),
    getIsOn: (reply) => reply.is_in_watch_later,
    onReply: (reply) => cacheWatchLater(client, videoId, reply.is_in_watch_later),
    onFailure: () => toast("Couldn't update Watch Later. Try again.", { tone: 'danger' }),
  })
  return {
    isInWatchLater: isOn,
    toggle: () => requireSignIn({ action: 'watch-later', target: videoId }) && toggle(),
  }
}

/**
 * Stores the response in all cached bookmarks and cards of the video, and invalidates lists and counts that contain it.
 */
function cacheWatchLater(client: QueryClient, videoId: number, isIn: boolean): void {
  client.setQueriesData<Bookmark>({ queryKey: ['bookmark'] }, (bookmark) =>
    bookmark?.video.id === videoId ? { ...bookmark, is_in_watch_later: isIn } : bookmark,
  )
  patchCachedCards(client, videoId, { is_in_watch_later: isIn })
  void client.invalidateQueries({
    predicate: ({ queryKey: [kind, query], state }) => {
      if (kind === 'profile' || kind === 'collections') return true
      if (kind === 'bookmark') {
        return state.fetchStatus === 'fetching' || (state.data as Bookmark | undefined)?.video.id === videoId
      }
      if (kind !== 'videos') return false
      // Private bookmarks only appear in listings of a user or container.
      const { user, collection, channel } = (query ?? {}) as ListingQuery
      return (user ?? collection ?? channel) !== undefined
    },
  })
}
