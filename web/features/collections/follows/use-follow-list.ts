import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { isApiError } from '../../../shared/errors/api-error.ts'
import { useOptimisticToggle } from '../../../shared/hooks/use-optimistic-toggle.ts'
import type { Intent } from '../../../shared/session/sign-in-intent.ts'
import { useRequireSignIn } from '../../../shared/session/use-require-sign-in.ts'
import { invalidateFeed } from '../../listing/public-api.ts'

interface FollowListOptions<Status> {
  /** What a visitor is asked to sign in for. */
  intent: Intent
  /** The name of the collection, channel or tag, as error texts show it. */
  name: string
  /** The last state known from the server. */
  isFollowed: boolean
  /** Follows or unfollows it. */
  send: (follow: boolean) => Promise<Status>
  /** Stores the new state where `isFollowed` is read from. */
  onReply: (status: Status) => void
  onProblem: (text: string) => void
}

/** Returns whether the viewer follows a collection, channel or tag, updated optimistically, and a function to toggle it. */
export function useFollowList<Status extends { is_followed: boolean }>({
  intent,
  name,
  isFollowed,
  send,
  onReply,
  onProblem,
}: FollowListOptions<Status>) {
  const client = useQueryClient()
  const requireSignIn = useRequireSignIn()
  const { isOn, toggle } = useOptimisticToggle<Status>({
    isOn: isFollowed,
    send,
    getIsOn: (status) => status.is_followed,
    onReply: (status) => {
      onReply(status)
      void client.invalidateQueries({ queryKey: ['followed-lists'], refetchType: 'none' })
      invalidateFeed(client)
    },
    onFailure: (error) =>
      onProblem(
        isApiError(error, 'limit-reached')
          ? `You've reached the limit of ${limits.followedListsMax} collections, channels and tags. Unfollow one first.`
          : `Couldn't ${isFollowed ? 'unfollow' : 'follow'} ${name}. Try again.`,
      ),
  })
  return { isFollowed: isOn, toggle: () => void (requireSignIn(intent) && toggle()) }
}
