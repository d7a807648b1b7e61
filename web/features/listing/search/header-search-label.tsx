import Search from 'lucide-react/icons/search'
import { headerSearchId } from './header-search.tsx'

/**
 * Shows the current search where the field of the header (header.css) is hidden until it gets the focus. A touch focuses
 * the field. Screen readers skip it, because they find the field itself.
 */
export function HeaderSearchLabel({ q }: { q: string | undefined }) {
  return (
    <label aria-hidden="true" htmlFor={headerSearchId} className="search-label rounded-control">
      <Search className="size-4 shrink-0 text-quiet" />
      {q === undefined ? (
        <span className="truncate text-quiet">Search or paste a link</span>
      ) : (
        <span className="truncate">{q}</span>
      )}
    </label>
  )
}
