import { limits } from '@reelmark/contract/limits.ts'
import { pageCount } from '@reelmark/contract/paging.ts'
import type { Profile } from '@reelmark/contract/profiles.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Settings } from 'lucide-react'
import { useEffect } from 'react'
import { useSession } from '../../session.ts'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Pager } from '../../ui/pager.tsx'
import { SkeletonGrid } from '../../ui/skeleton.tsx'
import { usePreloadedNextPage } from '../listing/next-page.ts'
import { rememberedOrientation } from '../listing/orientation-memory.ts'
import { OrientationSelect } from '../listing/orientation-select.tsx'
import { listingQuery } from '../listing/queries.ts'
import { VideoGrid } from '../listing/video-grid.tsx'
import { ProfileHeader } from './profile-header.tsx'
import { type ProfileSearch, profileListing } from './profile-search.ts'

/** A profile: who it is, and what they keep. */
export function ProfilePage({
  profile,
  search,
  onSearch,
}: {
  profile: Profile
  search: ProfileSearch
  onSearch: (search: ProfileSearch, options?: { replace?: boolean }) => void
}) {
  const { username } = profile
  // Product.md section 2: whatever the case.
  const isOwn = useSession().username?.toLowerCase() === username.toLowerCase()
  const query = profileListing(username, search)
  const listing = useQuery(listingQuery(query))
  const page = search.page ?? 1
  const pages = listing.data === undefined ? 1 : pageCount(listing.data.count, limits.pageSize)
  usePreloadedNextPage(listing.data !== undefined && page < pages ? { ...query, page: page + 1 } : null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only as the page is opened, without a filter of its own.
  useEffect(() => {
    const orientation = rememberedOrientation()
    if (search.orientation === undefined && orientation !== undefined)
      onSearch({ orientation }, { replace: true })
  }, [])

  return (
    <div className="page pt-8 sm:pt-12">
      <ProfileHeader profile={profile}>
        {isOwn && (
          <Link to="/settings" className={buttonClass('plain', 'md', 'self-start')}>
            <Settings aria-hidden="true" className="size-4" strokeWidth={1.75} />
            Settings
          </Link>
        )}
      </ProfileHeader>
      <section aria-labelledby="bookmarks" className="mt-10 border-t border-line pt-6">
        <div className="mb-6 flex items-center justify-between gap-4">
          <h2 id="bookmarks" className="font-display text-20 font-bold tracking-[-0.01em]">
            Bookmarks
          </h2>
          <OrientationSelect
            className="w-44"
            value={search.orientation}
            onChange={(orientation) => onSearch({ orientation })}
          />
        </div>
        {listing.isPending ? (
          <SkeletonGrid label="Loading bookmarks" />
        ) : listing.isError || listing.data.results.length === 0 ? (
          <EmptyState
            title={listing.isError ? 'The bookmarks could not be loaded' : 'No bookmarks found'}
            text={
              listing.isError
                ? undefined
                : isOwn
                  ? 'What you save appears here, private bookmarks for you alone.'
                  : `What ${username} saves publicly appears here.`
            }
          >
            {isOwn && !listing.isError && (
              <Link to="/bookmarks/create" className={buttonClass('accent')}>
                Add Bookmark
              </Link>
            )}
          </EmptyState>
        ) : (
          <VideoGrid items={listing.data.results} />
        )}
        <div className="mt-12">
          <Pager
            page={page}
            pages={pages}
            linkTo={(other) => ({
              to: '/users/$username',
              params: { username },
              search: { ...search, page: other === 1 ? undefined : other },
            })}
          />
        </div>
      </section>
    </div>
  )
}
