import { createFileRoute } from '@tanstack/react-router'
import { HistoryPage, HistorySkeleton } from '../features/listing/history-page.tsx'
import { pageHead } from '../shared/pages/page-head.ts'
import { requireSession } from '../shared/session/require-session.ts'

export const Route = createFileRoute('/history')({
  ssr: false,
  beforeLoad: requireSession,
  head: ({ match }) =>
    pageHead({
      title: 'History',
      description: 'The videos you watched.',
      publicUrl: match.context.publicUrl,
      path: '/history',
      unlisted: true,
    }),
  pendingComponent: HistorySkeleton,
  component: HistoryPage,
})
