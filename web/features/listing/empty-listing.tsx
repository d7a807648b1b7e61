import { isCallError } from '@reelmark/contract/call.ts'
import { Link } from '@tanstack/react-router'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { ExploreSearch } from './explore-search.ts'

/** Nothing was found: why, and the way back to something. */
export function EmptyListing({ search }: { search: ExploreSearch }) {
  if (search.sort === 'following') {
    return (
      <EmptyState
        title="Nothing here yet"
        text="What the people you follow save appears here. Find someone whose taste you share."
      >
        <Link to="/explore" className={buttonClass('accent')}>
          Explore Bookmarks
        </Link>
      </EmptyState>
    )
  }
  const filtered = search.q !== undefined || search.tag !== undefined || search.orientation !== undefined
  return filtered ? (
    <EmptyState title="No bookmarks found" text="Try fewer or other words, or look without the filter.">
      <Link to="/explore" search={{ orientation: undefined }} className={buttonClass('accent')}>
        Show all bookmarks
      </Link>
    </EmptyState>
  ) : (
    <EmptyState
      title="No bookmarks yet"
      text="The first public bookmark will appear here. It could be yours."
    >
      <Link to="/bookmarks/create" className={buttonClass('accent')}>
        Add Bookmark
      </Link>
    </EmptyState>
  )
}

/** An empty grid, as the specification wants it, with a word on why and a way on. */
export function FailedListing({
  error,
  search,
  onRetry,
}: {
  error: unknown
  search: ExploreSearch
  onRetry: () => void
}) {
  if (isCallError(error) && error.status === 404) {
    return (
      <EmptyState title="There are not that many pages">
        <Link to="/explore" search={{ ...search, page: undefined }} className={buttonClass('accent')}>
          Go to the first page
        </Link>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="The bookmarks could not be loaded" text="This is usually over in a moment.">
      <Button tone="accent" onClick={onRetry}>
        Try again
      </Button>
    </EmptyState>
  )
}

/** The Following tab, seen by a visitor. */
export function FollowingNeedsSession() {
  return (
    <EmptyState
      title="Sign in to see what people you follow save"
      text="Follow people whose taste you share; their newest bookmarks gather here."
    >
      <Link to="/login" search={{ redirect: '/explore?sort=following' }} className={buttonClass('accent')}>
        Log in
      </Link>
      <Link to="/register" className={buttonClass()}>
        Sign up
      </Link>
    </EmptyState>
  )
}
