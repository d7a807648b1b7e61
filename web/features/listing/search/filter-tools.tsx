import { listingOrders } from '@reelmark/contract/listing.ts'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import { useState } from 'react'
import { useSession } from '../../../shared/session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Select } from '../../../ui/select.tsx'
import { changeSearch, defaultSort, type ExploreSearch } from '../explore-search.ts'
import { FilterDialog } from './filter-dialog.tsx'
import { describeFilters, type FilterOptions, filtersButtonId, orderLabels } from './filters.ts'

const orders = ['manual', ...listingOrders] as const
const labels = { manual: 'Manual order', ...orderLabels }

interface FilterToolsProps extends FilterOptions {
  search: ExploreSearch
  onSearch: (search: ExploreSearch) => void
}

/** The filters of a list with the number of those that are set, and its order. */
export function FilterTools({ search, onSearch, ...options }: FilterToolsProps) {
  const { status } = useSession()
  const [isOpen, setOpen] = useState(false)
  const { ownOrder } = options
  // As in the query of the list (container-listing.ts).
  const defaultOrder = search.q === undefined ? (ownOrder ?? 'newest') : defaultSort(search.q)
  const offered = orders.filter(
    (order) =>
      (order !== 'manual' || ownOrder !== undefined) &&
      // Without a search, all bookmarks match equally well.
      (order !== 'relevance' || search.q !== undefined) &&
      (order !== 'last_watched' || status === 'signed-in'),
  )
  const hasOrder = search.sort !== 'random' && search.sort !== 'following'
  // The search has its own field, and so has the orientation unless the dialog sets it.
  const count = describeFilters(search, options).filter(
    ({ name }) => name !== 'q' && (name !== 'orientation' || options.hasOrientation === true),
  ).length
  return (
    <>
      <Button id={filtersButtonId} className="h-11" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <SlidersHorizontal className="size-4" />
        {count === 0 ? 'Filters' : `Filters (${count})`}
      </Button>
      {hasOrder && (
        <div className="w-[10rem]">
          <Select
            aria-label="Order"
            value={search.sort ?? defaultOrder}
            onChange={({ target }) => {
              const order = orders.find((name) => name === target.value)
              onSearch(changeSearch(search, { sort: order === defaultOrder ? undefined : order }))
            }}
          >
            {offered.map((order) => (
              <option key={order} value={order}>
                {labels[order]}
              </option>
            ))}
          </Select>
        </div>
      )}
      <FilterDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        search={search}
        onApply={(filters) => {
          setOpen(false)
          onSearch(changeSearch(search, filters))
        }}
        {...options}
      />
    </>
  )
}
