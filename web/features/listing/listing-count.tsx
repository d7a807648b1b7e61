import type { ListingPage } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { pageCount } from '@reelmark/contract/protocol/paging.ts'
import { pagesText } from '../../ui/pager.tsx'

/**
 * Returns 'Page X of Y (N results)', also for one result, or 'about N results' if the count is an estimate. The
 * specification prescribes this text. Several pages below each other are 'Pages X to Z of Y'.
 */
export function countText(page: number, lastPage: number, count: number, isEstimate: boolean): string {
  const pages = pageCount(count, limits.pageSize)
  const results = `${isEstimate ? 'about ' : ''}${count.toLocaleString('en')} results`
  return `${pagesText(page, lastPage, pages)} (${results})`
}

/** The line below the title. It takes up space even while it is empty. */
export function ListingCount({
  page,
  lastPage = page,
  listing,
}: {
  page: number
  /** The last of several pages that are shown below each other. */
  lastPage?: number
  listing: Pick<ListingPage, 'count' | 'count_is_estimate'> | undefined
}) {
  return (
    <p role="status" className="h-5 text-14 text-quiet tabular-nums">
      {listing !== undefined && countText(page, lastPage, listing.count, listing.count_is_estimate === true)}
    </p>
  )
}
