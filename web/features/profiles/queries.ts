import { listFollowers, listFollowing } from '@reelmark/contract/follows.ts'
import { getProfile, type Profile } from '@reelmark/contract/profiles.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { apiOf } from '../../api-of.ts'
import { placeForPage } from '../adult/server-pictures.ts'
import { type PageAfter, pageAfter } from '../follows/people-queries.ts'

/** A user, by name whatever its case. */
export function profileQuery(username: string) {
  return queryOptions({
    queryKey: ['profile', username.toLowerCase()] as const,
    queryFn: async ({ client }): Promise<Profile> => {
      const profile = await apiOf(client)(getProfile, { params: { username } })
      return { ...profile, collections: profile.collections.map(placeForPage) }
    },
  })
}

export type PeopleKind = 'followers' | 'following'

/** Who follows somebody, or whom they follow, page by page. */
export function peopleQuery(kind: PeopleKind, id: number) {
  return infiniteQueryOptions({
    queryKey: ['people', kind, id] as const,
    initialPageParam: { page: 1 } as PageAfter,
    queryFn: ({ pageParam, signal }) => {
      const input = { params: { id }, query: pageParam }
      return kind === 'followers'
        ? api(listFollowers, input, { signal })
        : api(listFollowing, input, { signal })
    },
    getNextPageParam: pageAfter,
  })
}
