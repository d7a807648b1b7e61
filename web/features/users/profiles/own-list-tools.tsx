import type { Profile } from '@reelmark/contract/profiles.ts'
import { Link } from '@tanstack/react-router'
import Tags from 'lucide-react/icons/tags'
import { lazy, Suspense } from 'react'
import { FeedLink } from '../../../shared/feeds/feed-link.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { loadSaveSearch } from '../../collections/public-api.ts'
import { type ProfileSearch, profileListing } from './profile-search.ts'

const SaveSearch = lazy(() => loadSaveSearch().then((component) => ({ default: component })))

/** Further tools for the viewer's own bookmarks: their tags, their feed, and saving the list as a smart collection. */
export function OwnListTools({ profile, search }: { profile: Profile; search: ProfileSearch }) {
  const { username, has_feed } = profile
  return (
    <>
      {search.tab !== 'liked' && (
        <Link to="/tags" className={buttonClass('plain', 'md', 'h-11! max-sm:px-3')}>
          <Tags className="size-4 max-sm:size-5" />
          <span className="max-sm:sr-only">Tags</span>
        </Link>
      )}
      {search.tab !== 'liked' && has_feed && <FeedLink className="size-11!" page={`/users/${username}`} />}
      <Suspense>
        <SaveSearch listing={profileListing(username, search, true) ?? {}} />
      </Suspense>
    </>
  )
}
