import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useLocation, useNavigate } from '@tanstack/react-router'
import Search from 'lucide-react/icons/search'
import { stringifySearch } from '../../../shared/api/query-string.ts'
import { iconButtonClass } from '../../../ui/button.tsx'
import { changeSearch, readExploreSearch } from '../explore-search.ts'
import { SearchBox } from './search-box.tsx'

/** The id of the field, which the shortcut `/` focuses. */
export const headerSearchId = 'search'

/** The id of its form, which includes the orientation filter of Explore. */
export const headerSearchFormId = 'search-form'

/**
 * The search field of the header. On Explore it shows the current search and preserves order and filters. It is a plain
 * form, so that it works before hydration and without JavaScript. Where there is no room, only its label is
 * visible, a magnifying glass; the field covers the header while it has the focus.
 */
export function HeaderSearch() {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const isExplore = /^\/explore(?:\/|$)/.test(pathname)
  const current = readExploreSearch(isExplore ? search : {})
  const { q = '' } = current
  const action = isExplore ? pathname : '/explore'
  return (
    <>
      <label
        htmlFor={headerSearchId}
        title="Search"
        className={iconButtonClass('quiet', 'md', 'ml-auto cursor-pointer @min-[46rem]:hidden')}
      >
        <Search className="size-5" />
      </label>
      <search className="header-search">
        <form
          id={headerSearchFormId}
          action={action}
          className="w-full"
          onSubmit={(event) => {
            event.preventDefault()
            const form = new FormData(event.currentTarget)
            if (!isExplore && String(form.get('q')).trim() === '') return
            document.getElementById(headerSearchId)?.blur()
            void navigate({ href: action + stringifySearch(Object.fromEntries(form)) })
          }}
        >
          {Object.entries(changeSearch(current, { q: undefined, orientation: undefined })).map(
            ([name, value]) =>
              value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
          )}
          <SearchBox
            // A new search replaces input that was not submitted.
            key={q}
            id={headerSearchId}
            label="Search"
            name="q"
            placeholder="Search or paste a link"
            defaultValue={q}
            maxLength={limits.urlMax}
            aria-keyshortcuts="/"
            className="@max-[46rem]:mr-11"
          />
        </form>
      </search>
    </>
  )
}
