import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { changeSearch, type ExploreSearch } from '../explore-search.ts'
import { FilterChips } from './filter-chips.tsx'
import { FilterTools } from './filter-tools.tsx'
import type { FilterOptions } from './filters.ts'
import { SearchBox } from './search-box.tsx'

export interface ListToolsProps extends FilterOptions {
  /** The accessible name of the search field. */
  label: string
  search: ExploreSearch
  onSearch: (search: ExploreSearch) => void
  /** Returns the link to the list with other filters. */
  linkTo: (search: ExploreSearch) => LinkProps
  /** Further tools, after the filters. */
  children?: ReactNode
}

/**
 * The search field, order and filters of a list of bookmarks: on phones in one row, where the field is wider with the focus
 * and the rest scrolls sideways. The chips of the filters are below.
 */
export function ListTools({ label, search, onSearch, linkTo, children, ...options }: ListToolsProps) {
  const { q = '' } = search
  return (
    <div className="mb-1 sm:mb-6">
      <div className="flex items-center gap-2 sm:flex-wrap">
        <search className="w-2/5 shrink-0 transition-[width] focus-within:w-3/4 sm:w-auto sm:min-w-56 sm:max-w-100 sm:flex-1 sm:shrink">
          <form
            onSubmit={(event) => {
              event.preventDefault()
              const text = String(new FormData(event.currentTarget).get('q')).trim()
              onSearch(changeSearch(search, { q: text === '' ? undefined : text }))
            }}
          >
            <SearchBox
              // Another search replaces input that was not submitted.
              key={q}
              label={label}
              name="q"
              placeholder="Search"
              defaultValue={q}
              maxLength={limits.searchMax}
            />
          </form>
        </search>
        <div className="tool-row min-w-0 flex-1 max-sm:m-0! max-sm:-mr-(--gutter)! max-sm:pl-1! sm:contents">
          <FilterTools search={search} onSearch={onSearch} {...options} />
          {children}
        </div>
      </div>
      <FilterChips search={search} linkTo={linkTo} {...options} />
    </div>
  )
}
