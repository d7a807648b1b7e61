import { isCallError } from '@reelmark/contract/call.ts'
import { limits } from '@reelmark/contract/limits.ts'
import { pageCount } from '@reelmark/contract/paging.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useMemo } from 'react'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Pager } from '../../ui/pager.tsx'
import { SkeletonGrid } from '../../ui/skeleton.tsx'
import { usePreloadedNextPage } from '../listing/next-page.ts'
import { listingQuery } from '../listing/queries.ts'
import { VideoGrid } from '../listing/video-grid.tsx'
import { Organiser, type Selecting } from '../organising/selecting.tsx'
import { readQueueSearch } from '../watching/queue.ts'
import { type ProfileSearch, profileListing } from './profile-search.ts'

interface ProfileListingProps {
  username: string
  search: ProfileSearch
  isOwn: boolean
  selecting: Selecting
}

/** The cards that a profile's address asks for, a page of them. */
export function ProfileListing({ username, search, isOwn, selecting }: ProfileListingProps) {
  const { channel, collection } = search
  const query = profileListing(username, search) ?? {}
  const listing = useQuery(listingQuery(query))
  const from = useMemo(() => readQueueSearch({ channel, collection }), [channel, collection])
  const page = search.page ?? 1
  const pages = listing.data === undefined ? 1 : pageCount(listing.data.count, limits.pageSize)
  usePreloadedNextPage(listing.data !== undefined && page < pages ? { ...query, page: page + 1 } : null)

  const linkTo = (other: number) =>
    ({
      to: '/users/$username',
      params: { username },
      search: { ...search, page: other === 1 ? undefined : other },
    }) as const

  const shown = () => {
    if (listing.isPending) return <SkeletonGrid label="Loading bookmarks" />
    if (listing.isError) {
      return isCallError(listing.error) && listing.error.status === 404 && page > 1 ? (
        <EmptyState title="There are not that many pages">
          <Link {...linkTo(1)} className={buttonClass('accent')}>
            Go to the first page
          </Link>
        </EmptyState>
      ) : (
        <EmptyState title="The bookmarks could not be loaded" text="This is usually over in a moment.">
          <Button tone="accent" onClick={() => void listing.refetch()}>
            Try again
          </Button>
        </EmptyState>
      )
    }
    if (listing.data.results.length === 0) {
      return <NothingHere username={username} search={search} isOwn={isOwn} />
    }
    return <VideoGrid items={listing.data.results} from={from} />
  }
  return (
    <>
      {selecting.isOn && isOwn ? (
        <Suspense fallback={shown()}>
          <Organiser query={query} page={listing.data} onDone={selecting.stop}>
            {shown()}
          </Organiser>
        </Suspense>
      ) : (
        shown()
      )}
      {listing.data !== undefined && listing.data.results.length > 0 && (
        <div className="mt-12">
          <Pager page={page} pages={pages} linkTo={linkTo} />
        </div>
      )}
    </>
  )
}

/** What belongs here, and the one next step. */
function NothingHere({ username, search, isOwn }: Omit<ProfileListingProps, 'selecting'>) {
  if (search.orientation !== undefined) {
    return (
      <EmptyState title="No bookmarks found" text="Nothing here is of that orientation.">
        <Link
          to="/users/$username"
          params={{ username }}
          search={{ ...search, page: undefined, orientation: undefined }}
          resetScroll={false}
          className={buttonClass('accent')}
        >
          Show all orientations
        </Link>
      </EmptyState>
    )
  }
  if (search.tab === 'liked') {
    return (
      <EmptyState
        title="No liked videos found"
        text={isOwn ? 'What you like gathers here.' : `What ${username} likes gathers here.`}
      >
        <ExploreLink />
      </EmptyState>
    )
  }
  const what = search.tab === 'collections' ? 'saves here' : 'saves publicly'
  return (
    <EmptyState
      title="No bookmarks found"
      text={
        isOwn
          ? 'What you save appears here, private bookmarks for you alone.'
          : `What ${username} ${what} appears here.`
      }
    >
      {isOwn ? (
        <Link to="/bookmarks/create" className={buttonClass('accent')}>
          Add Bookmark
        </Link>
      ) : (
        <ExploreLink />
      )}
    </EmptyState>
  )
}

/** The way on where a person has nothing to show. */
export function ExploreLink() {
  return (
    <Link to="/explore" className={buttonClass('accent')}>
      Explore Bookmarks
    </Link>
  )
}
