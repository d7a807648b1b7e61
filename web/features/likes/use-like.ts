import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { type LikeStatus, toggleLike } from '@reelmark/contract/likes.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { useSignInFirst } from '../../sign-in-first.ts'
import { toast } from '../../ui/toast.tsx'
import { useWanted } from '../../wanted.ts'
import { keepOnCards } from '../listing/keep-on-cards.ts'

interface Liked {
  videoId: number
  isLiked: boolean
  likesCount: number
}

/** Whether one likes a video and how many do, shown as wanted at once and taken back where the server does not. */
export function useLike({ videoId, isLiked, likesCount }: Liked) {
  const client = useQueryClient()
  const signedIn = useSignInFirst()
  const { isOn, toggle } = useWanted<LikeStatus>({
    isOn: isLiked,
    send: () => api(toggleLike, { params: { id: videoId } }),
    isOnIn: (reply) => reply.is_liked,
    onReply: (reply) => keepLike(client, videoId, reply),
    onFailure: () => toast("Couldn't update your like. Try again.", { tone: 'danger' }),
  })
  return {
    isLiked: isOn,
    likesCount: Math.max(0, likesCount + Number(isOn) - Number(isLiked)),
    toggle: () => signedIn() && toggle(),
  }
}

/** Puts what a like was answered into every bookmark and card of the video, and has lists of likes asked for anew. */
export function keepLike(client: QueryClient, videoId: number, { is_liked, likes_count }: LikeStatus): void {
  client.setQueryData(['like', videoId], { is_liked, likes_count })
  client.setQueriesData<Bookmark>({ queryKey: ['bookmark'] }, (bookmark) =>
    bookmark?.video.id === videoId
      ? { ...bookmark, is_liked, video: { ...bookmark.video, likes_count } }
      : bookmark,
  )
  keepOnCards(client, videoId, { is_liked, likes_count })
  void client.invalidateQueries({ queryKey: ['profile'] })
  // What lists likes; and what was being asked for when the like came, and may not know of it.
  void client.invalidateQueries({
    predicate: ({ queryKey: [kind, asked], state }) =>
      (kind === 'videos' && (asked as { liked_by?: string } | undefined)?.liked_by !== undefined) ||
      ((kind === 'videos' || kind === 'bookmark') && state.fetchStatus === 'fetching'),
  })
}
