import { Link, type LinkProps } from '@tanstack/react-router'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { type FilterSearch, listActiveFilters } from './explore-search.ts'

/** Says that filters leave nothing of a list, and offers to clear them. The chips above the list name each filter. */
export function EmptyFilteredList({ search, clear }: { search: FilterSearch; clear: LinkProps }) {
  const { q } = search
  const hasFilters = listActiveFilters(search).some((name) => name !== 'q')
  return (
    <EmptyState
      title="No bookmarks found"
      text={
        q === undefined
          ? 'No bookmark in this list matches the filters.'
          : `No bookmark in this list matches “${q}”${hasFilters ? ' and the filters' : ''}.`
      }
    >
      <Link {...clear} className={buttonClass('accent')}>
        Clear search and filters
      </Link>
    </EmptyState>
  )
}
