import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { type LikeStatus, toggleLike } from '@reelmark/contract/likes.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'
import { isApiError } from '../../../shared/errors/api-error.ts'
import { useOptimisticToggle } from '../../../shared/hooks/use-optimistic-toggle.ts'
import { useRequireSignIn } from '../../../shared/session/use-require-sign-in.ts'
import { toast } from '../../../ui/toast.tsx'
import { patchCachedCards } from '../patch-cached-cards.ts'

interface LikeState {
  videoId: number
  isLiked: boolean
  likesCount: number
}

/**
 * Returns whether the viewer likes a video and its number of likes, updated optimistically, and a function to toggle
 * the like.
 */
export function useLike({ videoId, isLiked, likesCount }: LikeState) {
  const client = useQueryClient()
  const requireSignIn = useRequireSignIn()
  const { isOn, toggle } = useOptimisticToggle<LikeStatus>({
    isOn: isLiked,
    send: () => api(toggleLike, { params: { id: videoId } }),
    getIsOn: (reply) => reply.is_liked,
    onReply: (reply) => cacheLike(client, videoId, reply),
    onFailure: (error) => {
      const isPrivateOnly = isApiError(error, 'forbidden')
      toast(isPrivateOnly ? 'Only public videos can be liked.' : "Couldn't update your like. Try again.", {
        tone: 'danger',
      })
    },
  })
  return {
    isLiked: isOn,
    likesCount: Math.max(0, likesCount + Number(isOn) - Number(isLiked)),
    toggle: () => requireSignIn({ action: 'like', target: videoId }) && toggle(),
  }
}

/** Stores the response to a like in all cached bookmarks and cards of the video, and invalidates lists of likes. */
function cacheLike(client: QueryClient, videoId: number, { is_liked, likes_count }: LikeStatus): void {
  client.setQueryData(['like', videoId], { is_liked, likes_count })
  client.setQueriesData<Bookmark>({ queryKey: ['bookmark'] }, (bookmark) =>
    bookmark?.video.id === videoId
      ? { ...bookmark, is_liked, video: { ...bookmark.video, likes_count } }
      : bookmark,
  )
  patchCachedCards(client, videoId, { is_liked, likes_count })
  void client.invalidateQueries({ queryKey: ['profile'] })
  // Invalidates lists of likes, and requests in progress, whose responses may not contain the like.
  void client.invalidateQueries({
    predicate: ({ queryKey: [kind, query], state }) =>
      (kind === 'videos' && (query as { liked_by?: string } | undefined)?.liked_by !== undefined) ||
      ((kind === 'videos' || kind === 'bookmark') && state.fetchStatus === 'fetching'),
  })
}
