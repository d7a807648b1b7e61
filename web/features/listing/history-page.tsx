import { listHistory } from '@reelmark/contract/history.ts'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../shared/api/api.ts'
import { type NextPage, nextPageParam } from '../../shared/paging/next-page.ts'
import { useSession } from '../../shared/session/session.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { SkeletonGrid } from '../../ui/skeleton.tsx'
import { VideoGrid } from './video-grid.tsx'

const firstPage: NextPage = { page: 1 }

/** The videos that the viewer watched, latest first. Browser only. */
const historyQuery = infiniteQueryOptions({
  queryKey: ['history'] as const,
  queryFn: ({ pageParam, signal }) => api(listHistory, { query: pageParam }, { signal }),
  initialPageParam: firstPage,
  getNextPageParam: nextPageParam,
})

/** Lists the videos that the viewer watched. It fills the window, so that the footer does not jump when they are loaded. */
export function HistoryPage() {
  const history = useInfiniteQuery(historyQuery)
  const isPaused = useSession().user?.profile.is_history_paused === true
  const items = history.data?.pages.flatMap(({ results }) => results) ?? []
  return (
    <div className="page min-h-dvh pt-4 pb-12 sm:pt-12">
      <HistoryHeader />
      {isPaused && (
        <Notice tone="info" className="mt-6 max-w-180">
          Your history is paused. Videos you finish now aren't added.
        </Notice>
      )}
      <section aria-label="Watched videos" className="mt-4 flex flex-col gap-8 sm:mt-8">
        {history.isPending ? (
          <SkeletonGrid label="Loading your history" />
        ) : history.isError && items.length === 0 ? (
          <EmptyState title="Couldn't load your history" text="This is usually temporary. Try again.">
            <Button tone="accent" onClick={() => void history.refetch()}>
              Try again
            </Button>
          </EmptyState>
        ) : items.length === 0 ? (
          <EmptyState title="No watched videos yet" text="Videos you finish or mark as watched appear here.">
            <Link to="/explore" className={buttonClass('accent')}>
              Explore
            </Link>
          </EmptyState>
        ) : (
          <>
            <VideoGrid items={items} />
            <LoadMore
              list={history}
              failed={(retry) => (
                <Notice tone="danger" urgent>
                  <p>Couldn't load more videos.</p>
                  <Button size="sm" onClick={retry}>
                    Try again
                  </Button>
                </Notice>
              )}
            />
          </>
        )}
      </section>
    </div>
  )
}

function HistoryHeader() {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div>
        <PageTitle>History</PageTitle>
        <p className="measure mt-1 text-14 text-quiet">
          The videos you watched, latest first. Only you can see them.
        </p>
      </div>
      <Link to="/settings/data" className={buttonClass()}>
        Pause or clear
      </Link>
    </header>
  )
}

/** The page as the server renders it, without knowing the viewer. */
export function HistorySkeleton() {
  return (
    <div className="page min-h-dvh pt-4 pb-12 sm:pt-12">
      <HistoryHeader />
      <div className="mt-4 sm:mt-8">
        <SkeletonGrid label="Loading your history" />
      </div>
    </div>
  )
}
