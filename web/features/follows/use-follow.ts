import { type FollowStatus, followUser, unfollowUser } from '@reelmark/contract/follows.ts'
import type { Profile } from '@reelmark/contract/profiles.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { useSignInFirst } from '../../sign-in-first.ts'
import { useWanted } from '../../wanted.ts'

/** Whether one follows somebody, shown as wanted at once and taken back where the server does not go along. */
export function useFollow(
  { id, isFollowed }: { id: number; isFollowed: boolean },
  onFailure: (error: unknown) => void,
) {
  const client = useQueryClient()
  const signedIn = useSignInFirst()
  const { isOn, toggle } = useWanted<FollowStatus>({
    isOn: isFollowed,
    send: (on) => api(on ? followUser : unfollowUser, { params: { id } }),
    isOnIn: (reply) => reply.is_followed,
    onReply: (reply) => keepFollow(client, id, reply),
    onFailure,
  })
  return { isFollowed: isOn, toggle: () => signedIn() && toggle() }
}

interface PeoplePages {
  pages: { results: { id: number; is_followed: boolean }[] }[]
}

/**
 * Puts what a follow was answered into whatever shows that person: profiles, and lists of people, which are infinite
 * queries whose keys begin with 'people'.
 */
export function keepFollow(client: QueryClient, id: number, status: FollowStatus): void {
  client.setQueriesData<Profile>({ queryKey: ['profile'] }, (profile) =>
    profile?.user_id === id ? { ...profile, ...status } : profile,
  )
  client.setQueriesData<PeoplePages>({ queryKey: ['people'] }, (data) =>
    data?.pages === undefined
      ? data
      : {
          ...data,
          pages: data.pages.map((page) => ({
            ...page,
            results: page.results.map((person) =>
              person.id === id ? { ...person, is_followed: status.is_followed } : person,
            ),
          })),
        },
  )
  // One's own number of people, and what they save.
  const isOthers = (profile: Profile | undefined) => profile?.user_id === id
  void client.invalidateQueries({
    queryKey: ['profile'],
    predicate: ({ state }) => !isOthers(state.data as Profile | undefined),
  })
  void client.invalidateQueries({
    queryKey: ['videos'],
    predicate: ({ queryKey }) => (queryKey[1] as { sort?: string } | undefined)?.sort === 'following',
  })
}
