import { createFileRoute } from '@tanstack/react-router'
import { useCallback } from 'react'
import {
  AddBookmarkPage,
  AddBookmarkSkeleton,
} from '../features/bookmarks/add-bookmark/add-bookmark-page.tsx'
import { readAddBookmarkSearch } from '../features/bookmarks/add-bookmark/add-bookmark-search.ts'
import { pageHead } from '../shared/pages/page-head.ts'
import { requireSession } from '../shared/session/require-session.ts'

export const Route = createFileRoute('/bookmarks/create')({
  ssr: false,
  validateSearch: readAddBookmarkSearch,
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
