import { Link } from '@tanstack/react-router'
import { storeLastOrientation } from '../../../shared/orientation/orientation-memory.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import type { SelectionMode } from '../../bookmarks/public-api.ts'
import { useCollectionNames } from '../../collections/public-api.ts'
import { EmptyFilteredList, isFiltered, PagedListing } from '../../listing/public-api.ts'
import { type ProfileSearch, profileListing } from './profile-search.ts'

interface ProfileListingProps {
  username: string
  search: ProfileSearch
  isOwn: boolean
  selectionMode: SelectionMode
}

/** A page of the bookmarks that a profile's address describes. */
export function ProfileListing({ username, search, isOwn, selectionMode }: ProfileListingProps) {
  const isEditable = isOwn && search.tab !== 'liked'
  const collectionNames = useCollectionNames(username, isEditable)
  return (
    <div data-one-owner={search.tab === 'liked' ? undefined : ''}>
      <PagedListing
        query={profileListing(username, search, isOwn) ?? {}}
        linkTo={(page) => ({
          to: '/users/$username',
          params: { username },
          search: { ...search, page: page === 1 ? undefined : page },
        })}
        empty={<EmptyProfileListing username={username} search={search} isOwn={isOwn} />}
        {...(isEditable && { selectionMode, collectionNames })}
      />
    </div>
  )
}

/** Explains an empty listing and offers a next step. */
function EmptyProfileListing({ username, search, isOwn }: Omit<ProfileListingProps, 'selectionMode'>) {
  if (search.tab !== 'collections' && isFiltered(search)) {
    return (
      <EmptyFilteredList
        search={search}
        clear={{
          to: '/users/$username',
          params: { username },
          search: { tab: search.tab, orientation: search.orientation },
          resetScroll: false,
        }}
      />
    )
  }
  if (search.orientation !== undefined) {
    return (
      <EmptyState title="No bookmarks found" text="No bookmarks match this orientation.">
        <Link
          to="/users/$username"
          params={{ username }}
          search={{ ...search, page: undefined, orientation: undefined }}
          resetScroll={false}
          className={buttonClass('accent')}
          // The profile would otherwise restore the filter.
          onClick={() => storeLastOrientation(undefined)}
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
        text={isOwn ? 'Videos you like appear here.' : `${username} hasn't liked anything yet.`}
      >
        <ExploreLink />
      </EmptyState>
    )
  }
  const what = search.tab === 'collections' ? 'added anything here' : 'saved any public bookmarks'
  return (
    <EmptyState
      title="No bookmarks found"
      text={
        isOwn
          ? 'Your bookmarks appear here. Only you can see private ones.'
          : `${username} hasn't ${what} yet.`
      }
    >
      {isOwn ? (
        <Link to="/bookmarks/create" search={{ tab: 'url' }} className={buttonClass('accent')}>
          Add Bookmark
        </Link>
      ) : (
        <ExploreLink />
      )}
    </EmptyState>
  )
}

/** A link to Explore for empty profiles. */
export function ExploreLink() {
  return (
    <Link to="/explore" className={buttonClass('accent')}>
      Explore Bookmarks
    </Link>
  )
}
