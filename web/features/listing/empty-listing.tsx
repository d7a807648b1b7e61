import { Link } from '@tanstack/react-router'
import { storeLastOrientation } from '../../shared/orientation/orientation-memory.ts'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { changeSearch, type ExploreSearch } from './explore-search.ts'

const forgetOrientation = () => storeLastOrientation(undefined)

/** Explains an empty listing and links to a non-empty one. */
export function EmptyListing({ search }: { search: ExploreSearch }) {
  if (search.sort === 'following') {
    return (
      <EmptyState
        title="Nothing here yet"
        text="Bookmarks from people you follow appear here. Find someone to follow in Explore."
      >
        <Link to="/explore" className={buttonClass('accent')}>
          Explore Bookmarks
        </Link>
      </EmptyState>
    )
  }
  const { page: _page, sort: _sort, seed: _seed, ...filters } = search
  const filtered = Object.values(filters).some((value) => value !== undefined)
  return filtered ? (
    <EmptyState title="No bookmarks found" text="Try a different search, or clear your filters.">
      {search.orientation !== undefined && (search.q ?? search.tag) !== undefined && (
        <Link
          to="/explore"
          search={changeSearch(search, { orientation: undefined })}
          className={buttonClass()}
          onClick={forgetOrientation}
        >
          Search all orientations
        </Link>
      )}
      <Link
        to="/explore"
        search={{ orientation: undefined }}
        className={buttonClass('accent')}
        // Explore would otherwise restore the filter.
        onClick={forgetOrientation}
      >
        Show all bookmarks
      </Link>
    </EmptyState>
  ) : (
    <EmptyState title="No bookmarks yet" text="Be the first to add one.">
      <Link to="/bookmarks/create" search={{ tab: 'url' }} className={buttonClass('accent')}>
        Add Bookmark
      </Link>
    </EmptyState>
  )
}

/** The Following tab for visitors. */
export function FollowingNeedsSignIn() {
  return (
    <EmptyState title="Log in to see your feed" text="See the latest bookmarks from people you follow.">
      <Link to="/login" search={{ redirect: '/explore?sort=following' }} className={buttonClass('accent')}>
        Log in
      </Link>
      <Link to="/register" className={buttonClass()}>
        Sign up
      </Link>
    </EmptyState>
  )
}

/** Offers to save a link that was searched for. */
export function LinkToSave({ link }: { link: string }) {
  return (
    <EmptyState title="Save this video" text={link}>
      <Link to="/bookmarks/create" search={{ tab: 'url', url: link }} className={buttonClass('accent')}>
        Save this video
      </Link>
    </EmptyState>
  )
}
