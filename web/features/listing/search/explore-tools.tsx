import { type ListingPage, listingOrders } from '@reelmark/contract/listing.ts'
import { Link } from '@tanstack/react-router'
import Shuffle from 'lucide-react/icons/shuffle'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { chipClass } from '../../../ui/chip.tsx'
import { Select } from '../../../ui/select.tsx'
import { changeSearch, type ExploreSearch } from '../explore-search.ts'
import { CorrectionNotice } from './correction-notice.tsx'
import { FilterDialog } from './filter-dialog.tsx'
import { describeFilters } from './filters.ts'
import { createTitleRenderer } from './highlight-matches.tsx'

interface ExploreToolsProps {
  search: ExploreSearch
  onSearch: (search: ExploreSearch) => void
  corrected: ListingPage['corrected']
}

const orderLabels: Record<(typeof listingOrders)[number], string> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  most_saved: 'Most saved',
  most_liked: 'Most liked',
  longest: 'Longest',
  shortest: 'Shortest',
  title: 'Title',
}

/** Returns a function that renders titles with the matches of a search marked; undefined without a search. */
export function titleRenderer({ q }: ExploreSearch, corrected: ListingPage['corrected']) {
  return q === undefined ? undefined : createTitleRenderer(q, corrected)
}

/** Order, filters and correction of Explore. Loaded after the page, which works without them. */
export function ExploreTools({ search, onSearch, corrected }: ExploreToolsProps) {
  const [isOpen, setOpen] = useState(false)
  const hasOrder = search.sort !== 'random' && search.sort !== 'following'
  return (
    <>
      {search.sort === 'random' && (
        <Link to="/explore" search={changeSearch(search, {})} preload={false} className={chipClass}>
          <Shuffle className="size-3.5" />
          Shuffle again
        </Link>
      )}
      {hasOrder && (
        <div className="w-40">
          <Select
            aria-label="Order"
            value={search.sort ?? 'newest'}
            onChange={({ target }) => {
              const order = listingOrders.find((name) => name === target.value)
              onSearch(changeSearch(search, { sort: order === 'newest' ? undefined : order }))
            }}
          >
            {listingOrders.map((order) => (
              <option key={order} value={order}>
                {orderLabels[order]}
              </option>
            ))}
          </Select>
        </div>
      )}
      <Button className="h-11" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <SlidersHorizontal className="size-4" />
        Filters
      </Button>
      {describeFilters(search).map(({ name, label }) => (
        <Link
          key={name}
          to="/explore"
          search={changeSearch(search, { [name]: undefined })}
          className={chipClass}
        >
          <span className="truncate">{label}</span>
          <X className="size-3.5 shrink-0" />
          <span className="sr-only">Remove</span>
        </Link>
      ))}
      {corrected !== undefined && <CorrectionNotice search={search} corrected={corrected} />}
      <FilterDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        search={search}
        onApply={(filters) => {
          setOpen(false)
          onSearch(changeSearch(search, filters))
        }}
      />
    </>
  )
}
