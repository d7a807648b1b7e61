import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useNavigate } from '@tanstack/react-router'
import { Button } from '../../ui/button.tsx'
import { SearchBox } from '../listing/public-api.ts'

/** The search of the home page, in public bookmarks. Enter on a blank field does nothing. */
export function HeroSearch() {
  const navigate = useNavigate()
  return (
    <form
      action="/explore"
      method="get"
      className="flex flex-wrap gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        const q = String(new FormData(event.currentTarget).get('q') ?? '').trim()
        if (q !== '') void navigate({ to: '/explore', search: { q } })
      }}
    >
      <SearchBox
        large
        label="Search public bookmarks"
        name="q"
        placeholder="Search public bookmarks"
        maxLength={limits.urlMax}
        className="flex-1 basis-[9rem]"
      />
      <Button type="submit" size="xl" className="max-sm:px-4">
        Search
      </Button>
    </form>
  )
}
