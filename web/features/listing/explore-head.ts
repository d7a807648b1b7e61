import type { QueryClient } from '@tanstack/react-query'
import { stringifySearch } from '../../shared/api/query-string.ts'
import { withFeedLinks } from '../../shared/pages/machine-head.ts'
import { pageHead } from '../../shared/pages/page-head.ts'
import { type ExploreSearch, exploreQuery } from './explore-search.ts'
import { hasAdultItems } from './queries.ts'

/** What Explore was matched with. */
interface Match {
  search: ExploreSearch
  context: { publicUrl: string; queryClient: QueryClient }
}

/** Returns the head of Explore. Search engines list its pages and those of tags. */
export function exploreHead({ search, context: { publicUrl, queryClient } }: Match) {
  const { q, tag, page, sort, orientation } = search
  const subject = q ?? (tag === undefined ? undefined : `#${tag}`)
  const head = pageHead({
    title: subject === undefined ? 'Explore Bookmarks' : `${subject}: Explore Bookmarks`,
    description: 'Browse and search public bookmarks on Reelmark.',
    publicUrl,
    path: `/explore${stringifySearch({ tag, page })}`,
    adult: hasAdultItems(queryClient, exploreQuery(search)),
    unlisted: q !== undefined || sort !== undefined || orientation !== undefined,
  })
  return import.meta.env.SSR ? withFeedLinks(head, `/explore${stringifySearch({ q, tag })}`) : head
}
