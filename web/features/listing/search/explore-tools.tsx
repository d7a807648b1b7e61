import type { ListingItem, ListingPage } from '@reelmark/contract/listing.ts'
import { Link, type LinkProps } from '@tanstack/react-router'
import Shuffle from 'lucide-react/icons/shuffle'
import { stringifySearch } from '../../../shared/api/query-string.ts'
import { FeedLink } from '../../../shared/feeds/feed-link.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { chipClass } from '../../../ui/chip.tsx'
import { PlayAll } from '../../videos/public-api.ts'
import { changeSearch, type ExploreSearch, exploreQuery } from '../explore-search.ts'
import { CorrectionNotice } from './correction-notice.tsx'
import { FilterChips } from './filter-chips.tsx'
import { FilterTools } from './filter-tools.tsx'
import { createTitleRenderer } from './highlight-matches.tsx'

interface ExploreToolsProps {
  search: ExploreSearch
  onSearch: (search: ExploreSearch) => void
  first: ListingItem | undefined
}

/** Returns a function that renders titles with the matches of a search marked; undefined without a search. */
export function titleRenderer({ q }: ExploreSearch, corrected: ListingPage['corrected']) {
  return q === undefined ? undefined : createTitleRenderer(q, corrected)
}

/** What is below the tools: the filters as chips, and what corrects a misspelt search. */
export function BelowTools({
  search,
  corrected,
}: {
  search: ExploreSearch
  corrected: ListingPage['corrected'] | undefined
}) {
  return (
    <>
      <FilterChips search={search} linkTo={linkTo} kind="explore" />
      {corrected !== undefined && <CorrectionNotice search={search} corrected={corrected} />}
    </>
  )
}

const linkTo = (search: ExploreSearch): LinkProps => ({ to: '/explore', search })

/** Order and filters of Explore. Loaded after the page, which works without them. */
export function ExploreTools({ search, onSearch, first }: ExploreToolsProps) {
  return (
    <>
      {search.sort === 'random' && (
        <Link to="/explore" search={changeSearch(search, {})} preload={false} className={chipClass}>
          <Shuffle className="size-3.5" />
          Shuffle again
        </Link>
      )}
      <FilterTools search={search} onSearch={onSearch} kind="explore" />
      <PlayAll
        first={first}
        query={exploreQuery(search)}
        className={buttonClass('plain', 'md', 'h-11 sm:max-lg:px-3 sm:max-lg:[&_span]:sr-only')}
      />
      {search.sort === undefined && (
        <FeedLink
          className="size-11!"
          page={`/explore${stringifySearch({ q: search.q, tag: search.tag })}`}
        />
      )}
    </>
  )
}
