import type { ListingItem, ListingQuery } from '@reelmark/contract/listing.ts'
import { Link, type LinkProps } from '@tanstack/react-router'
import X from 'lucide-react/icons/x'
import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { OrientationSelect } from '../../shared/orientation/orientation-select.tsx'
import { useSession } from '../../shared/session/session.ts'
import { chipClass } from '../../ui/chip.tsx'
import { deferPart } from '../../ui/defer-part.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Pager } from '../../ui/pager.tsx'
import { SkeletonGrid } from '../../ui/skeleton.tsx'
import { LinkTabs, tabClass } from '../../ui/tabs.tsx'
import { exploreHead } from './explore-head.ts'
import { changeSearch, type ExploreSearch, exploreQuery, isFiltered } from './explore-search.ts'
import { FailedListing } from './failed-listing.tsx'
import { foldRuns, renderFolds } from './fold-runs.tsx'
import { ListingCount } from './listing-count.tsx'
import { ResultTabs } from './result-tabs.tsx'
import { headerSearchFormId } from './search/header-search.tsx'
import { HeaderSearchLabel } from './search/header-search-label.tsx'
import { readLink } from './search/link.ts'
import { useShownPages } from './use-shown-pages.ts'
import { VideoGrid } from './video-grid.tsx'

const loadEmpty = () => import('./empty-listing.tsx')
const EmptyListing = deferPart(() => loadEmpty().then((module) => module.EmptyListing))
const FollowingNeedsSignIn = deferPart(() => loadEmpty().then((module) => module.FollowingNeedsSignIn))
const LinkToSave = deferPart(() => loadEmpty().then((module) => module.LinkToSave))

/** What the route loads with the page. */
export const pageParts = { exploreHead }

interface ExplorePageProps {
  search: ExploreSearch
  /** Changes the search parameters. */
  onSearch: (search: ExploreSearch, options?: { replace?: boolean }) => void
  /** Returns the actions on the current tag. */
  renderTagActions: (tag: string) => ReactNode
  /** Returns the action that saves a search, for a signed-in viewer. */
  renderSaveSearch: (listing: ListingQuery) => ReactNode
}

const sortTabs = [
  { sort: undefined, label: 'All' },
  { sort: 'random', label: 'Random' },
  { sort: 'following', label: 'Following' },
] as const

/** The Explore page: sort tabs, search, filter and grid. The choices are stored in the address. */
export function ExplorePage({ search, onSearch, renderTagActions, renderSaveSearch }: ExplorePageProps) {
  const { status } = useSession()
  const following = search.sort === 'following'
  const query = exploreQuery(search)
  const link = readLink(search.q ?? '')
  const isEnabled = link === null && (!following || status === 'signed-in')
  const { listing, items, page, lastPage, pages, more } = useShownPages(query, isEnabled)
  const { items: shown, divide } = useFolded(search, listing.data?.results, items)
  const tab = sortTabs.find(({ sort }) => sort === search.sort)?.sort
  const corrected = listing.data?.corrected
  const [tools, setTools] = useState<typeof import('./search/explore-tools.tsx')>()
  useEffect(() => {
    // Loaded after the page is shown. If they cannot be loaded, for example offline, the page works without them.
    void import('./search/explore-tools.tsx').then(setTools, () => undefined)
  }, [])
  const linkTo = (number: number): LinkProps => ({
    to: '/explore',
    search: { ...search, page: number === 1 ? undefined : number },
  })
  const renderTitle = useMemo(() => tools?.titleRenderer(search, corrected), [tools, search, corrected])

  return (
    <div className="page pt-3 sm:pt-10">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4 sm:flex-col sm:gap-1">
        <PageTitle sizeClass="text-20 sm:text-31">Explore Bookmarks</PageTitle>
        <ListingCount page={page} lastPage={lastPage} listing={listing.data} />
      </header>

      {search.q !== undefined && link === null && <ResultTabs q={search.q} />}

      {search.q !== undefined && <HeaderSearchLabel q={search.q} />}
      <div className="mt-1 sm:mt-5">
        <LinkTabs label="Sort">
          {sortTabs.map(({ sort, label }) => (
            <Link
              key={label}
              to="/explore"
              search={changeSearch(search, { sort })}
              className={tabClass(tab === sort)}
              aria-current={tab === sort ? 'page' : undefined}
              activeProps={{}}
            >
              {label}
            </Link>
          ))}
        </LinkTabs>
      </div>

      {/* One row on phones, which scrolls sideways. */}
      <div className="tool-row mt-3 sm:mt-4">
        <OrientationSelect
          form={headerSearchFormId}
          className="w-[10rem] shrink-0"
          value={search.orientation}
          onChange={(orientation) => onSearch(changeSearch(search, { orientation }))}
        />
        {search.tag !== undefined && (
          <Link to="/explore" search={changeSearch(search, { tag: undefined })} className={chipClass}>
            <span className="truncate">
              Tag: <strong className="font-medium">{search.tag}</strong>
            </span>
            <X className="size-3.5 shrink-0" />
            <span className="sr-only">Remove</span>
          </Link>
        )}
        {search.tag !== undefined && status !== 'unknown' && (
          <Suspense>{renderTagActions(search.tag)}</Suspense>
        )}
        {tools && <tools.ExploreTools search={search} onSearch={onSearch} first={listing.data?.results[0]} />}
        {tools && status === 'signed-in' && <Suspense>{renderSaveSearch(query)}</Suspense>}
      </div>
      {tools && <tools.BelowTools search={search} corrected={corrected} />}

      <section aria-labelledby="results" aria-busy={listing.isFetching} className="mt-3 sm:mt-4">
        <h2 id="results" className="sr-only">
          Bookmarks
        </h2>
        {link !== null ? (
          <LinkToSave link={link} />
        ) : following && status === 'signed-out' ? (
          <FollowingNeedsSignIn />
        ) : listing.isError ? (
          <FailedListing
            error={listing.error}
            page={page}
            linkTo={linkTo}
            onRetry={() => void listing.refetch()}
          />
        ) : listing.data === undefined ? (
          <SkeletonGrid label="Loading bookmarks" />
        ) : listing.data.results.length === 0 ? (
          <EmptyListing search={search} />
        ) : (
          <VideoGrid items={shown} divide={divide} more={more} renderTitle={renderTitle} />
        )}
      </section>

      <div className="mt-12">
        <Pager page={page} lastPage={lastPage} pages={pages} linkTo={linkTo} />
      </div>
    </div>
  )
}

/**
 * Folds what one user saved at once on the first page of all bookmarks.
 * @param first the items of the first page
 * @param items these and the items of the pages below
 */
function useFolded(
  search: ExploreSearch,
  first: readonly ListingItem[] | undefined,
  items: readonly ListingItem[],
) {
  const isFolded = search.page === undefined && search.sort === undefined && !isFiltered(search)
  const folded = useMemo(() => (isFolded && first !== undefined ? foldRuns(first) : null), [isFolded, first])
  if (folded === null || first === undefined) return { items }
  return {
    items: [...folded.items, ...items.slice(first.length)],
    divide: () => renderFolds(folded, search),
  }
}
