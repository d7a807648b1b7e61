import type { Profile } from '@reelmark/contract/profiles.ts'
import type { QueryClient } from '@tanstack/react-query'
import { stringifySearch } from '../../../shared/api/query-string.ts'
import { withFeedLinks } from '../../../shared/pages/machine-head.ts'
import { pageHead } from '../../../shared/pages/page-head.ts'
import { hasAdultItems, isFiltered } from '../../listing/public-api.ts'
import { type ProfileSearch, profileListing } from './profile-search.ts'

/** What the page of a profile was matched with. */
interface Match {
  params: { username: string }
  search: ProfileSearch
  context: { publicUrl: string; queryClient: QueryClient }
}

/**
 * Returns the head of a profile's page. Search engines list only its first view.
 * @param isOwn whether it is the viewer's, which shows other bookmarks
 */
export function profileHead({ username, bio }: Profile, { params, search, context }: Match, isOwn: boolean) {
  const path = `/users/${encodeURIComponent(username)}`
  const head = pageHead({
    title: username,
    description: bio.trim() || `Videos saved by ${username} on Reelmark.`,
    publicUrl: context.publicUrl,
    path: `${path}${stringifySearch({ ...search, orientation: undefined })}`,
    type: 'profile',
    adult: hasAdultItems(context.queryClient, profileListing(params.username, search, isOwn)),
    unlisted:
      search.orientation !== undefined ||
      search.tab !== undefined ||
      search.sort !== undefined ||
      isFiltered(search),
  })
  return import.meta.env.SSR ? withFeedLinks(head, path) : head
}
