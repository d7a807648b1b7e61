import { useQuery } from '@tanstack/react-query'
import { buttonClass } from '../../../ui/button.tsx'
import { listingQuery } from '../../listing/public-api.ts'
import { PlayAll } from '../../videos/public-api.ts'
import { type ProfileSearch, profileListing } from './profile-search.ts'

/** Plays the bookmarks that a profile's address describes from the first one, whichever page is shown. */
export function PlayListing({
  username,
  search,
  isOwn,
  isCompact = false,
}: {
  username: string
  search: ProfileSearch
  isOwn: boolean
  /** Whether phones show only the icon. */
  isCompact?: boolean
}) {
  const firstPage = profileListing(username, { ...search, page: undefined }, isOwn) ?? {}
  const { data } = useQuery(listingQuery(firstPage))
  return (
    <PlayAll
      first={data?.results[0]}
      query={firstPage}
      className={
        isCompact ? buttonClass('plain', 'md', 'max-sm:px-3 max-sm:[&_span]:sr-only') : buttonClass('accent')
      }
    />
  )
}
