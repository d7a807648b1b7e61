import { listingOrders } from '@reelmark/contract/listing.ts'
import { Link, type LinkProps } from '@tanstack/react-router'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { useSession } from '../../../shared/session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { chipClass } from '../../../ui/chip.tsx'
import { Select } from '../../../ui/select.tsx'
import { changeSearch, defaultSort, type ExploreSearch } from '../explore-search.ts'
import { FilterDialog } from './filter-dialog.tsx'
import { describeFilters, type ListKind, orderLabels } from './filters.ts'

interface FilterToolsProps {
  search: ExploreSearch
  onSearch: (search: ExploreSearch) => void
  /** Returns the link to the list with other filters. */
  linkTo: (search: ExploreSearch) => LinkProps
  kind: ListKind
}

/** The order of a list, its filters, and a removable chip for each filter. */
export function FilterTools({ search, onSearch, linkTo, kind }: FilterToolsProps) {
  const { status } = useSession()
  const [isOpen, setOpen] = useState(false)
  // Without a search, all bookmarks match equally well.
  const orders = (Object.keys(orderLabels) as (keyof typeof orderLabels)[]).filter(
    (order) =>
      (order !== 'relevance' || search.q !== undefined) &&
      (order !== 'last_watched' || status === 'signed-in'),
  )
  const hasOrder = search.sort !== 'random' && search.sort !== 'following'
  return (
    <>
      {hasOrder && (
        <div className="w-[10rem]">
          <Select
            aria-label="Order"
            value={search.sort ?? defaultSort(search.q)}
            onChange={({ target }) => {
              const order = listingOrders.find((name) => name === target.value)
              onSearch(changeSearch(search, { sort: order === defaultSort(search.q) ? undefined : order }))
            }}
          >
            {orders.map((order) => (
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
      {describeFilters(search, kind).map(({ name, label }) => (
        <Link key={name} {...linkTo(changeSearch(search, { [name]: undefined }))} className={chipClass}>
          <span className="truncate">{label}</span>
          <X className="size-3.5 shrink-0" />
          <span className="sr-only">Remove</span>
        </Link>
      ))}
      <FilterDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        search={search}
        kind={kind}
        onApply={(filters) => {
          setOpen(false)
          onSearch(changeSearch(search, filters))
        }}
      />
    </>
  )
}
