import { listFollowers, listFollowing } from '@reelmark/contract/follows.ts'
import { getProfile, type Profile } from '@reelmark/contract/profiles.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { withholdAdultCover, withholdAdultImages } from '../../../shared/adult/server-rendered-thumbnails.ts'
import { api } from '../../../shared/api/api.ts'
import { queryApi } from '../../../shared/api/query-api.ts'
import { type NextPage, nextPageParam } from '../../../shared/paging/next-page.ts'

/** A user's profile, by name without regard to case. */
export function profileQuery(username: string) {
  return queryOptions({
    queryKey: ['profile', username.toLowerCase()] as const,
    queryFn: async ({ client }): Promise<Profile> => {
      const profile = await queryApi(client)(getProfile, { params: { username } })
      return {
        ...profile,
        collections: profile.collections.map(withholdAdultCover),
        pins: profile.pins.map((pin) => ({ ...pin, images: withholdAdultImages(pin.images) })),
      }
    },
  })
}

export type UserListKind = 'followers' | 'following'

/** The followers of a user, or whom they follow, page by page. */
export function userListQuery(kind: UserListKind, id: number) {
  return infiniteQueryOptions({
    queryKey: ['users-list', kind, id] as const,
    initialPageParam: { page: 1 } as NextPage,
    queryFn: ({ pageParam, signal }) => {
      const input = { params: { id }, query: pageParam }
      return kind === 'followers'
        ? api(listFollowers, input, { signal })
        : api(listFollowing, input, { signal })
    },
    getNextPageParam: nextPageParam,
  })
}
