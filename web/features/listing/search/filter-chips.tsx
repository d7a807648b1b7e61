import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import X from 'lucide-react/icons/x'
import { storeLastOrientation } from '../../../shared/orientation/orientation-memory.ts'
import { chipClass } from '../../../ui/chip.tsx'
import { changeSearch, type ExploreSearch } from '../explore-search.ts'
import { chipRowsClass } from './chip-rows.ts'
import { describeFilters, type FilterOptions, filtersButtonId } from './filters.ts'
import { collectionNameQuery } from './queries.ts'

interface FilterChipsProps extends FilterOptions {
  search: ExploreSearch
  /** Returns the link to the list with other filters. */
  linkTo: (search: ExploreSearch) => LinkProps
}

/** A removable chip for each filter of a list, in rows of their own, so that phones show them without scrolling sideways. */
export function FilterChips({ search, linkTo, ...options }: FilterChipsProps) {
  const { hasOrientation = false, collectionName } = options
  const { collection } = search
  const { data: name = collectionName } = useQuery({
    ...collectionNameQuery(collection ?? 0),
    enabled: collection !== undefined && collectionName === undefined,
  })
  const filters = describeFilters(search, options, name)
  if (filters.length === 0) return null
  return (
    <ul aria-label="Active filters" className={chipRowsClass}>
      {filters.map(({ name, label }) => (
        <li key={name} className="flex max-w-full">
          <Link
            {...linkTo(changeSearch(search, { [name]: undefined }))}
            className={chipClass}
            onClick={({ currentTarget }) => {
              // As if 'All orientations' were chosen in the select of the page: the choice is not restored.
              if (name === 'orientation' && !hasOrientation) storeLastOrientation(undefined)
              focusNeighbour(currentTarget)
            }}
          >
            <span className="truncate">{label}</span>
            <X className="size-3.5 shrink-0" />
            <span className="sr-only">Remove</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** Moves the focus from a chip that is going to disappear to the next or previous one, or to the button of the filters. */
function focusNeighbour(chip: HTMLElement): void {
  const item = chip.closest('li')
  const neighbour = (item?.nextElementSibling ?? item?.previousElementSibling)?.querySelector('a')
  const next = neighbour ?? document.getElementById(filtersButtonId)
  next?.focus({ preventScroll: true })
}
