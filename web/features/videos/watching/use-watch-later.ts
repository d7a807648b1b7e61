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
  /** Undefined, as it is told of visitors: false. */
  isInWatchLater: boolean | undefined
}

/** Whether a video is in one's Watch Later, shown as wanted at once and taken back where the server does not go along. */
export function useWatchLater({ videoId, isInWatchLater = false }: WatchLaterState) {
  const client = useQueryClient()
  const signedIn = useRequireSignIn()
  const { isOn, toggle } = useOptimisticToggle({
    isOn: isInWatchLater,
    send: () => api(toggleWatchLater, { params: { id: videoId } }),
    getIsOn: (reply) => reply.is_in_watch_later,
    onReply: (reply) => cacheWatchLater(client, videoId, reply.is_in_watch_later),
    onFailure: () => toast("Couldn't update Watch Later. Try again.", { tone: 'danger' }),
  })
  return { isInWatchLater: isOn, toggle: () => signedIn() && toggle() }
}

/** Puts the answer wherever the video is shown, and has what it is a bookmark in, or counts it, asked for anew. */
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
      // What is private is in lists of somebody's own alone.
      const { user, collection, channel } = (query ?? {}) as ListingQuery
      return (user ?? collection ?? channel) !== undefined
    },
  })
}
