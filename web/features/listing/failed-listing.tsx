import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { Link } from '@tanstack/react-router'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { ExploreSearch } from './explore-search.ts'
import { missingPageText } from './missing-page-text.ts'

/** Shows that a listing failed to load, with a way to continue. */
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
      <EmptyState title="This page doesn't exist" text={missingPageText(search.page)}>
        <Link to="/explore" search={{ ...search, page: undefined }} className={buttonClass('accent')}>
          Go to the first page
        </Link>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="Couldn't load bookmarks" text="This is usually temporary. Try again.">
      <Button tone="accent" onClick={onRetry}>
        Try again
      </Button>
    </EmptyState>
  )
}
