import { listCollections } from '@reelmark/contract/collections.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { api } from '../../shared/api/api.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { SectionTitle } from '../../ui/section-title.tsx'
import { SkeletonGrid, SkeletonLine } from '../../ui/skeleton.tsx'
import type { ListSearch } from '../listing/public-api.ts'
import { containerHeaderClass } from './container-header.tsx'

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
  if (typeof id === 'number' || (id === undefined && !isError)) {
    return (
      <>
        <WatchLaterSkeleton />
        {id !== undefined && (
          <Navigate to="/collections/$id" params={{ id: String(id) }} search={search} replace />
        )}
      </>
    )
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
      ) : (
        <EmptyState title="Nothing to watch later" text="Videos you add to Watch Later appear here.">
          <Link to="/explore" className={buttonClass('accent')}>
            Explore
          </Link>
        </EmptyState>
      )}
    </div>
  )
}

/** Shown until the collection is loaded, with the layout of its page, so that neither its list nor the footer jumps. */
export function WatchLaterSkeleton() {
  return (
    <div className="page pt-2 sm:pt-10">
      <div className={containerHeaderClass}>
        <div className="skeleton aspect-video rounded-card! sm:row-span-3" />
        <div className="flex min-w-0 flex-col gap-2">
          <PageTitle sizeClass="text-20 sm:text-39">Watch Later</PageTitle>
          <SkeletonLine className="w-40 max-w-full" />
        </div>
        {/* The actions. */}
        <div className="h-11 max-sm:col-span-2" />
      </div>
      <div className="mt-1 sm:mt-10">
        <SectionTitle className="mb-4 max-sm:sr-only">Bookmarks</SectionTitle>
        {/* The tools. */}
        <div className="mb-1 h-13 sm:mb-6 sm:h-11" />
        <SkeletonGrid label="Loading Watch Later" />
      </div>
    </div>
  )
}
