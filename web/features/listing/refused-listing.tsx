import * as limits from '@reelmark/contract/protocol/limits.ts'
import { Link, type LinkProps } from '@tanstack/react-router'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

interface RefusedListingProps {
  /** Whether the page does not exist. Otherwise the server refused its search and filters. */
  isMissing: boolean
  page: number
  /** Returns the link to a page of the listing. */
  linkTo: (page: number) => LinkProps
}

/** Shows that trying again does not load a listing, with a link to one that loads. */
export function RefusedListing({ isMissing, page, linkTo }: RefusedListingProps) {
  return isMissing ? (
    <EmptyState title="This page doesn't exist" text={missingPageText(page)}>
      <Link {...linkTo(1)} className={buttonClass('accent')}>
        Go to the first page
      </Link>
    </EmptyState>
  ) : (
    <EmptyState title="Couldn't load bookmarks" text="This search or one of its filters can't be used.">
      <Link to="." search={{}} className={buttonClass('accent')}>
        Clear search and filters
      </Link>
    </EmptyState>
  )
}

/**
 * Explains why a page with a high number is missing: after a limit, the pages of searches and filtered lists have no
 * numbers that open them. Returns undefined for pages within the limit.
 */
function missingPageText(page: number): string | undefined {
  const last = Math.floor(limits.skippedMax / limits.pageSize) + 1
  return page > last
    ? `In searches and filtered lists, pages after ${last} open only with Next, from the page before them.`
    : undefined
}
