import { createFileRoute } from '@tanstack/react-router'
import { requireSession } from '../features/accounts/require-session.ts'
import { readPage } from '../features/listing/explore-search.ts'
import { TrashPage, TrashSkeleton } from '../features/organising/trash-page.tsx'
import { pageHead } from '../features/shell/page-head.ts'

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
