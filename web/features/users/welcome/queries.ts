import { suggestUsers } from '@reelmark/contract/suggestions.ts'
import { listTags } from '@reelmark/contract/tags.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'

/** How many of the most used tags are offered. */
const offeredTags = 24

/** The most used tags. @param withAdult whether tags that only adult videos have are among them */
export function popularTagsQuery(withAdult: boolean) {
  return queryOptions({
    queryKey: ['tags', 'popular', withAdult] as const,
    queryFn: async ({ signal }) => {
      const query = { page_size: offeredTags, ...sfwUnless(withAdult) }
      return (await api(listTags, { query }, { signal })).results.map(({ name }) => name)
    },
  })
}

/** Users who save videos with the tags. The key is that of found users, so that a follow updates them (use-follow.ts). */
export function suggestedUsersQuery(tags: readonly string[], withAdult: boolean) {
  return queryOptions({
    queryKey: ['found-users', 'suggested', tags, withAdult] as const,
    queryFn: async ({ signal }) => {
      const query = { tags: tags.join(), ...sfwUnless(withAdult) }
      return { results: (await api(suggestUsers, { query }, { signal })).users }
    },
    // Requested again, it would lack the users who were followed from the list.
    staleTime: Number.POSITIVE_INFINITY,
  })
}

const sfwUnless = (withAdult: boolean) => (withAdult ? {} : { orientation: 'sfw' as const })
