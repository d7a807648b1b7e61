import { createFileRoute } from '@tanstack/react-router'
import { LibraryPage, LibrarySkeleton } from '../features/library/library-page.tsx'
import { readLibrarySearch } from '../features/library/library-search.ts'
import { pageHead } from '../shared/pages/page-head.ts'
import { requireSession } from '../shared/session/require-session.ts'
import { useSession } from '../shared/session/session.ts'

export const Route = createFileRoute('/library')({
  ssr: false,
  validateSearch: readLibrarySearch,
  beforeLoad: requireSession,
  head: ({ match }) =>
    pageHead({
      title: 'Library',
      description: 'Your bookmarks and collections.',
      publicUrl: match.context.publicUrl,
      path: '/library',
      unlisted: true,
    }),
  pendingComponent: LibrarySkeleton,
  component: LibraryRoute,
})

function LibraryRoute() {
  const { username } = useSession()
  const search = Route.useSearch()
  return username === null ? null : <LibraryPage username={username} search={search} />
}
