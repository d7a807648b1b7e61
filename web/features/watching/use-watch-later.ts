import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { toggleWatchLater } from '@reelmark/contract/collecting.ts'
import type { ListingQuery } from '@reelmark/contract/listing.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { useSignInFirst } from '../../sign-in-first.ts'
import { toast } from '../../ui/toast.tsx'
import { useWanted } from '../../wanted.ts'
import { keepOnCards } from '../listing/keep-on-cards.ts'

interface ToWatch {
  videoId: number
  /** Undefined, as it is told of visitors: false. */
  isInWatchLater: boolean | undefined
}

/** Whether a video is in one's Watch Later, shown as wanted at once and taken back where the server does not go along. */
export function useWatchLater({ videoId, isInWatchLater = false }: ToWatch) {
  const client = useQueryClient()
  const signedIn = useSignInFirst()
  const { isOn, toggle } = useWanted({
    isOn: isInWatchLater,
    send: () => api(toggleWatchLater, { params: { id: videoId } }),
    isOnIn: (reply) => reply.is_in_watch_later,
    onReply: (reply) => keepWatchLater(client, videoId, reply.is_in_watch_later),
    onFailure: () => toast("Couldn't update Watch Later. Try again.", { tone: 'danger' }),
  })
  return { isInWatchLater: isOn, toggle: () => signedIn() && toggle() }
}

/** Puts the answer wherever the video is shown, and has what it is a bookmark in, or counts it, asked for anew. */
export function keepWatchLater(client: QueryClient, videoId: number, isIn: boolean): void {
  client.setQueriesData<Bookmark>({ queryKey: ['bookmark'] }, (bookmark) =>
    bookmark?.video.id === videoId ? { ...bookmark, is_in_watch_later: isIn } : bookmark,
  )
  keepOnCards(client, videoId, { is_in_watch_later: isIn })
  void client.invalidateQueries({
    predicate: ({ queryKey: [kind, asked], state }) => {
      if (kind === 'profile' || kind === 'collections') return true
      if (kind === 'bookmark') {
        return state.fetchStatus === 'fetching' || (state.data as Bookmark | undefined)?.video.id === videoId
      }
      if (kind !== 'videos') return false
      // What is private is in lists of somebody's own alone.
      const { user, collection, channel } = (asked ?? {}) as ListingQuery
      return (user ?? collection ?? channel) !== undefined
    },
  })
}
