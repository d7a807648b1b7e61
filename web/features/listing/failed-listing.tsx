import { isCallError } from '@reelmark/contract/protocol/call.ts'
import type { LinkProps } from '@tanstack/react-router'
import { Button } from '../../ui/button.tsx'
import { deferPart } from '../../ui/defer-part.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

// Can be loaded, because the server responded.
const RefusedListing = deferPart(() =>
  import('./refused-listing.tsx').then((module) => module.RefusedListing),
)

interface FailedListingProps {
  error: unknown
  page: number
  /** Returns the link to a page of the listing. */
  linkTo: (page: number) => LinkProps
  onRetry: () => void
}

/** Shows that a listing failed to load, with a way to continue. */
export function FailedListing({ error, page, linkTo, onRetry }: FailedListingProps) {
  const status = isCallError(error) && error.status
  return status === 400 || (status === 404 && page > 1) ? (
    <RefusedListing isMissing={status === 404} page={page} linkTo={linkTo} />
  ) : (
    <EmptyState title="Couldn't load bookmarks" text="This is usually temporary. Try again.">
      <Button tone="accent" onClick={onRetry}>
        Try again
      </Button>
    </EmptyState>
  )
}
