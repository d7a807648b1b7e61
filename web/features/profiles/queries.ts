import { type Collection, listCollections } from '@reelmark/contract/collections.ts'
import { listFollowers, listFollowing } from '@reelmark/contract/follows.ts'
import { limits } from '@reelmark/contract/limits.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { apiOf } from '../../api-of.ts'
import { type PageAfter, pageAfter } from '../follows/people-queries.ts'

/** A user, by name whatever its case. */
export function profileQuery(username: string) {
  return queryOptions({
    queryKey: ['profile', username.toLowerCase()] as const,
    queryFn: ({ client }) => apiOf(client)(getProfile, { params: { username } }),
  })
}

/** A thousand collections are shown; nobody has looked through as many. */
const mostPages = 10

/** A user's collections with their channels, as many as one may see. */
export function collectionsQuery(username: string) {
  const user = username.toLowerCase()
  return queryOptions({
    queryKey: ['collections', 'of', user] as const,
    queryFn: async ({ client }): Promise<Collection[]> => {
      const all: Collection[] = []
      for (let page = 1; page <= mostPages; page++) {
        const query = { user, page, page_size: limits.maxPageSize }
        const { results, next } = await apiOf(client)(listCollections, { query })
        all.push(...results.map(forPage))
        if (next === null) break
      }
      return all
    },
    // What failed shows as failed, the same after hydration as in the server's HTML.
    retryOnMount: false,
  })
}

/**
 * A collection's picture is that of some video in it, and nothing says whether that one is adult content: what is
 * rendered on the server holds none (adult/server-pictures.ts).
 */
function forPage(collection: Collection): Collection {
  if (!import.meta.env.SSR) return collection
  const channels = collection.channels.map((channel) => ({ ...channel, imageUrl: null }))
  return { ...collection, display_image_url: null, channels }
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
