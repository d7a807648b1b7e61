import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { addBookmarkSearchFor, type Container } from './container.ts'

/** Shown instead of the bookmarks of a collection or channel that has none. */
export function EmptyContainer({ container }: { container: Container }) {
  return (
    <EmptyState
      title="No bookmarks found"
      text={
        container.isOwner
          ? `Bookmarks you add to this ${container.kind} appear here.`
          : `${container.user.username} hasn't added anything here yet.`
      }
    >
      {container.isOwner ? (
        <Link
          to="/bookmarks/create"
          search={addBookmarkSearchFor(container)}
          className={buttonClass('accent')}
        >
          Add Bookmark
        </Link>
      ) : (
        <Link to="/explore" className={buttonClass('accent')}>
          Explore Bookmarks
        </Link>
      )}
    </EmptyState>
  )
}
