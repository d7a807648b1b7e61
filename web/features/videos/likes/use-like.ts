import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { type LikeStatus, toggleLike } from '@reelmark/contract/likes.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'
import { useOptimisticToggle } from '../../../shared/hooks/use-optimistic-toggle.ts'
import { useRequireSignIn } from '../../../shared/session/use-require-sign-in.ts'
import { toast } from '../../../ui/toast.tsx'
import { patchCachedCards } from '../patch-cached-cards.ts'

interface LikeState {
  videoId: number
  isLiked: boolean
  likesCount: number
}

/** Whether one likes a video and how many do, shown as wanted at once and taken back where the server does not. */
export function useLike({ videoId, isLiked, likesCount }: LikeState) {
  const client = useQueryClient()
  const requireSignIn = useRequireSignIn()
  const { isOn, toggle } = useOptimisticToggle<LikeStatus>({
    isOn: isLiked,
    send: () => api(toggleLike, { params: { id: videoId } }),
    getIsOn: (reply) => reply.is_liked,
    onReply: (reply) => cacheLike(client, videoId, reply),
    onFailure: () => toast("Couldn't update your like. Try again.", { tone: 'danger' }),
  })
  return {
    isLiked: isOn,
    likesCount: Math.max(0, likesCount + Number(isOn) - Number(isLiked)),
    toggle: () => requireSignIn() && toggle(),
  }
}

/** Puts what a like was answered into every bookmark and card of the video, and has lists of likes asked for anew. */
function cacheLike(client: QueryClient, videoId: number, { is_liked, likes_count }: LikeStatus): void {
  client.setQueryData(['like', videoId], { is_liked, likes_count })
  client.setQueriesData<Bookmark>({ queryKey: ['bookmark'] }, (bookmark) =>
    bookmark?.video.id === videoId
      ? { ...bookmark, is_liked, video: { ...bookmark.video, likes_count } }
      : bookmark,
  )
  patchCachedCards(client, videoId, { is_liked, likes_count })
  void client.invalidateQueries({ queryKey: ['profile'] })
  // What lists likes; and what was being asked for when the like came, and may not know of it.
  void client.invalidateQueries({
    predicate: ({ queryKey: [kind, query], state }) =>
      (kind === 'videos' && (query as { liked_by?: string } | undefined)?.liked_by !== undefined) ||
      ((kind === 'videos' || kind === 'bookmark') && state.fetchStatus === 'fetching'),
  })
}
