import { type FollowStatus, followUser, unfollowUser } from '@reelmark/contract/follows.ts'
import type { Profile } from '@reelmark/contract/profiles.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'
import { useOptimisticToggle } from '../../../shared/hooks/use-optimistic-toggle.ts'
import { useRequireSignIn } from '../../../shared/session/use-require-sign-in.ts'
import { invalidateFeed } from '../../listing/public-api.ts'

/** Returns whether the viewer follows a user, updated optimistically, and a function to toggle it. */
export function useFollow(
  { id, isFollowed }: { id: number; isFollowed: boolean },
  onFailure: (error: unknown) => void,
) {
  const client = useQueryClient()
  const requireSignIn = useRequireSignIn()
  const { isOn, toggle } = useOptimisticToggle<FollowStatus>({
    isOn: isFollowed,
    send: (on) => api(on ? followUser : unfollowUser, { params: { id } }),
    getIsOn: (reply) => reply.is_followed,
    onReply: (reply) => cacheFollow(client, id, reply),
    onFailure,
  })
  return { isFollowed: isOn, toggle: () => requireSignIn({ action: 'follow-user', target: id }) && toggle() }
}

interface UserListPage {
  results: { id: number; is_followed: boolean }[]
}

/**
 * Stores the response to a follow in all cached profiles, in user lists, which are infinite queries whose keys begin with
 * 'users-list', and in pages of found users, whose keys begin with 'found-users'.
 */
function cacheFollow(client: QueryClient, id: number, status: FollowStatus): void {
  client.setQueriesData<Profile>({ queryKey: ['profile'] }, (profile) =>
    profile?.user_id === id ? { ...profile, ...status } : profile,
  )
  const withStatus = <P extends UserListPage>(page: P): P => ({
    ...page,
    results: page.results.map((user) =>
      user.id === id ? { ...user, is_followed: status.is_followed } : user,
    ),
  })
  client.setQueriesData<{ pages: UserListPage[] }>({ queryKey: ['users-list'] }, (data) =>
    data?.pages === undefined ? data : { ...data, pages: data.pages.map(withStatus) },
  )
  client.setQueriesData<UserListPage>({ queryKey: ['found-users'] }, (page) => page && withStatus(page))
  // The viewer's own counts and feed changed as well. Responses to requests in progress may not contain the follow.
  const isFollowedProfile = (profile: Profile | undefined) => profile?.user_id === id
  void client.invalidateQueries({
    queryKey: ['profile'],
    predicate: ({ state }) =>
      state.fetchStatus === 'fetching' || !isFollowedProfile(state.data as Profile | undefined),
  })
  invalidateFeed(client)
}
