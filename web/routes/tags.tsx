import { createFileRoute } from '@tanstack/react-router'
import { OwnTagsPage, OwnTagsSkeleton } from '../features/bookmarks/own-tags/own-tags-page.tsx'
import { pageHead } from '../shared/pages/page-head.ts'
import { requireSession } from '../shared/session/require-session.ts'

export const Route = createFileRoute('/tags')({
  ssr: false,
  beforeLoad: requireSession,
  head: ({ match }) =>
    pageHead({
      title: 'Tags',
      description: 'The tags of your bookmarks.',
      publicUrl: match.context.publicUrl,
      path: '/tags',
      unlisted: true,
    }),
  pendingComponent: OwnTagsSkeleton,
  component: OwnTagsPage,
})
