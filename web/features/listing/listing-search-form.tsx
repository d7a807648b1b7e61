import * as limits from '@reelmark/contract/protocol/limits.ts'
import { OrientationSelect } from '../../shared/orientation/orientation-select.tsx'
import { Button } from '../../ui/button.tsx'
import { changeSearch, type ExploreSearch } from './explore-search.ts'
import { SearchBox } from './search/search-box.tsx'

/** The search form of Explore. It is a plain form, so that it works before hydration. */
export function ListingSearchForm({
  search,
  onSearch,
}: {
  search: ExploreSearch
  onSearch: (search: ExploreSearch) => void
}) {
  return (
    <search>
      <form
        action="/explore"
        method="get"
        className="flex flex-wrap gap-2 sm:flex-nowrap"
        onSubmit={(event) => {
          event.preventDefault()
          const q = String(new FormData(event.currentTarget).get('q') ?? '').trim()
          onSearch(changeSearch(search, { q: q === '' ? undefined : q }))
        }}
      >
        {Object.entries(changeSearch(search, { q: undefined, orientation: undefined })).map(
          ([name, value]) =>
            value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
        )}
        <SearchBox
          // A new search replaces input that was not submitted.
          key={search.q ?? ''}
          label="Search bookmarks"
          name="q"
          placeholder="Search bookmarks"
          defaultValue={search.q ?? ''}
          maxLength={limits.searchMax}
          className="w-full sm:w-64 xl:w-80"
        />
        <OrientationSelect
          className="min-w-0 flex-1 sm:w-44 sm:flex-none"
          value={search.orientation}
          onChange={(orientation) => onSearch(changeSearch(search, { orientation }))}
        />
        <Button type="submit" className="h-11">
          Search
        </Button>
      </form>
    </search>
  )
}
