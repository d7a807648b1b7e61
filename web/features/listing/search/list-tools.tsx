import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { changeSearch, type ExploreSearch } from '../explore-search.ts'
import { FilterTools } from './filter-tools.tsx'
import type { ListKind } from './filters.ts'
import { SearchBox } from './search-box.tsx'

export interface ListToolsProps {
  /** The accessible name of the search field. */
  label: string
  search: ExploreSearch
  onSearch: (search: ExploreSearch) => void
  /** Returns the link to the list with other filters. */
  linkTo: (search: ExploreSearch) => LinkProps
  kind: ListKind
  /** Further tools, after the filters. */
  children?: ReactNode
}

/** The search field, order and filters of a list of bookmarks: on phones, the field and one row to scroll sideways. */
export function ListTools({ label, search, onSearch, children, ...rest }: ListToolsProps) {
  const { q = '' } = search
  return (
    <div className="mb-3 sm:mb-6 sm:flex sm:flex-wrap sm:items-center sm:gap-2">
      <search className="w-full sm:w-auto sm:max-w-100 sm:flex-1">
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
            placeholder={label}
            defaultValue={q}
            maxLength={limits.searchMax}
          />
        </form>
      </search>
      <div className="tool-row sm:contents">
        <FilterTools search={search} onSearch={onSearch} {...rest} />
        {children}
      </div>
    </div>
  )
}
