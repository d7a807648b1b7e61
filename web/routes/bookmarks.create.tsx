import { createFileRoute } from '@tanstack/react-router'
import { useCallback } from 'react'
import { requireSession } from '../features/accounts/require-session.ts'
import { AddBookmarkPage, AddBookmarkSkeleton } from '../features/saving/add-bookmark-page.tsx'
import { addSearch } from '../features/saving/add-search.ts'
import { pageHead } from '../features/shell/page-head.ts'

export const Route = createFileRoute('/bookmarks/create')({
  ssr: false,
  validateSearch: addSearch,
  beforeLoad: requireSession,
  head: ({ match }) =>
    pageHead({
      title: 'Add Bookmark',
      description: 'Save a video from a link, or add it manually.',
      publicUrl: match.context.publicUrl,
      path: '/bookmarks/create',
      unlisted: true,
    }),
  pendingComponent: AddBookmarkSkeleton,
  component: AddBookmark,
})

function AddBookmark() {
  const navigate = Route.useNavigate()
  const onTab = useCallback(
    (tab: 'url' | 'manual') => void navigate({ search: { tab }, replace: true, resetScroll: false }),
    [navigate],
  )
  return <AddBookmarkPage search={Route.useSearch()} onTab={onTab} />
}
