import { listCollections } from '@reelmark/contract/collections.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { api } from '../../shared/api/api.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import type { ListSearch } from '../listing/public-api.ts'

/** The id of the collection that holds the viewer's Watch Later; null before its first video. Browser only. */
const watchLaterQuery = queryOptions({
  queryKey: ['collections', 'watch-later'] as const,
  queryFn: async ({ signal }): Promise<number | null> => {
    for (let page = 1; ; page++) {
      const query = { page, page_size: limits.maxPageSize }
      const { results, next } = await api(listCollections, { query }, { signal })
      const found = results.find(({ is_watch_later }) => is_watch_later)
      if (found !== undefined) return found.id
      if (next === null) return null
    }
  },
  gcTime: 0,
})

/** Leads to the viewer's Watch Later, which is a collection once a video was added to it, with its filters and order. */
export function WatchLaterPage({ search }: { search: ListSearch }) {
  const { data: id, isError, refetch } = useQuery(watchLaterQuery)
  if (typeof id === 'number') {
    return <Navigate to="/collections/$id" params={{ id: String(id) }} search={search} replace />
  }
  return (
    <div className="page pt-8 pb-12 sm:pt-12">
      <PageTitle className="mb-8">Watch Later</PageTitle>
      {isError ? (
        <EmptyState title="Couldn't load Watch Later" text="This is usually temporary. Try again.">
          <Button tone="accent" onClick={() => void refetch()}>
            Try again
          </Button>
        </EmptyState>
      ) : id === null ? (
        <EmptyState title="Nothing to watch later" text="Videos you add to Watch Later appear here.">
          <Link to="/explore" className={buttonClass('accent')}>
            Explore
          </Link>
        </EmptyState>
      ) : (
        <p role="status" className="text-14 text-quiet">
          Loading Watch Later…
        </p>
      )}
    </div>
  )
}
