import { type FollowStatus, followUser, unfollowUser } from '@reelmark/contract/follows.ts'
import type { Profile } from '@reelmark/contract/profiles.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'
import { useOptimisticToggle } from '../../../shared/hooks/use-optimistic-toggle.ts'
import { useRequireSignIn } from '../../../shared/session/use-require-sign-in.ts'

/** Whether one follows somebody, shown as wanted at once and taken back where the server does not go along. */
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
  return { isFollowed: isOn, toggle: () => requireSignIn() && toggle() }
}

interface UserListPages {
  pages: { results: { id: number; is_followed: boolean }[] }[]
}

/**
 * Puts what a follow was answered into whatever shows that person: profiles, and lists of people, which are infinite
 * queries whose keys begin with 'users-list'.
 */
function cacheFollow(client: QueryClient, id: number, status: FollowStatus): void {
  client.setQueriesData<Profile>({ queryKey: ['profile'] }, (profile) =>
    profile?.user_id === id ? { ...profile, ...status } : profile,
  )
  client.setQueriesData<UserListPages>({ queryKey: ['users-list'] }, (data) =>
    data?.pages === undefined
      ? data
      : {
          ...data,
          pages: data.pages.map((page) => ({
            ...page,
            results: page.results.map((user) =>
              user.id === id ? { ...user, is_followed: status.is_followed } : user,
            ),
          })),
        },
  )
  // One's own number of people, and what they save.
  const isFollowedProfile = (profile: Profile | undefined) => profile?.user_id === id
  void client.invalidateQueries({
    queryKey: ['profile'],
    predicate: ({ state }) => !isFollowedProfile(state.data as Profile | undefined),
  })
  void client.invalidateQueries({
    queryKey: ['videos'],
    predicate: ({ queryKey }) => (queryKey[1] as { sort?: string } | undefined)?.sort === 'following',
  })
}
