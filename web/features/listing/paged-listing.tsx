import type { ListingQuery } from '@reelmark/contract/listing.ts'
import type { LinkProps } from '@tanstack/react-router'
import { type ReactNode, Suspense, useMemo } from 'react'
import { Pager } from '../../ui/pager.tsx'
import { SkeletonGrid } from '../../ui/skeleton.tsx'
import { LazyBulkEditor, type SelectionMode } from '../bookmarks/public-api.ts'
import { playContextOf } from '../videos/public-api.ts'
import type { CardDialogsProps } from './card-dialogs.tsx'
import { FailedListing } from './failed-listing.tsx'
import { useShownPages } from './use-shown-pages.ts'
import { VideoGrid, type VideoGridProps } from './video-grid.tsx'

interface PagedListingProps {
  query: ListingQuery
  /** Returns the link to a page. */
  linkTo: (page: number) => LinkProps
  /** Shown if there are no bookmarks. */
  empty: ReactNode
  /** Given for the viewer's own bookmarks, which can be selected. */
  selectionMode?: SelectionMode
  /** The names of the viewer's collections by id, which cards show instead of the owner. */
  collectionNames?: ReadonlyMap<number, string> | undefined
  divide?: VideoGridProps['divide']
  /** Renders the rows of a card's menu that move it, in a list of the viewer's in its manual order. */
  renderMove?: CardDialogsProps['renderMove']
}

/** Returns whether a listing contains all bookmarks of a user, in which one is opened on its own. */
function isProfile(query: ListingQuery): boolean {
  return Object.keys(query).every((name) => ['user', 'page', 'orientation', 'watch_later'].includes(name))
}

/** A page of the bookmarks of a user or container. */
export function PagedListing({
  query,
  linkTo,
  empty,
  selectionMode,
  collectionNames,
  divide,
  renderMove,
}: PagedListingProps) {
  const { listing, items, page, lastPage, pages, more } = useShownPages(query)
  const listKey = JSON.stringify(query)
  // Bookmarks opened from a list that its owner composed are played in its order.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the query is a new object at each render.
  const from = useMemo(() => (isProfile(query) ? {} : playContextOf(query)), [listKey])

  const renderContent = () => {
    if (listing.isPending) return <SkeletonGrid label="Loading bookmarks" />
    if (listing.isError) {
      return (
        <FailedListing
          error={listing.error}
          page={page}
          linkTo={linkTo}
          onRetry={() => void listing.refetch()}
        />
      )
    }
    if (listing.data.results.length === 0) return empty
    return (
      <VideoGrid
        items={items}
        more={more}
        from={from}
        renderMove={renderMove}
        onSelect={selectionMode?.start}
        collectionNames={collectionNames}
        divide={divide}
      />
    )
  }
  return (
    <>
      {selectionMode?.isOn ? (
        <Suspense fallback={renderContent()}>
          <LazyBulkEditor
            query={query}
            page={listing.data && { ...listing.data, results: items }}
            selectionMode={selectionMode}
            divide={divide}
          >
            {renderContent()}
          </LazyBulkEditor>
        </Suspense>
      ) : (
        renderContent()
      )}
      {listing.data !== undefined && listing.data.results.length > 0 && (
        <div className="mt-12">
          <Pager page={page} lastPage={lastPage} pages={pages} linkTo={linkTo} />
        </div>
      )}
    </>
  )
}
