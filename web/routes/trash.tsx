import { createFileRoute } from '@tanstack/react-router'
import { TrashPage, TrashSkeleton } from '../features/bookmarks/trash/trash-page.tsx'
import { pageHead } from '../shared/pages/page-head.ts'
import { readPage } from '../shared/paging/search-params.ts'
import { requireSession } from '../shared/session/require-session.ts'

export const Route = createFileRoute('/trash')({
  ssr: false,
  validateSearch: (search: Record<string, unknown>): { page?: number | undefined } => ({
    page: readPage(search.page),
  }),
  beforeLoad: requireSession,
  head: ({ match }) =>
    pageHead({
      title: 'Trash',
      description: 'Your deleted bookmarks.',
      publicUrl: match.context.publicUrl,
      path: '/trash',
      unlisted: true,
    }),
  pendingComponent: TrashSkeleton,
  component: Trash,
})

function Trash() {
  return <TrashPage page={Route.useSearch().page ?? 1} />
}
