import { createFileRoute } from '@tanstack/react-router'
import { NotificationsPage, NotificationsSkeleton } from '../features/notifications/notifications-page.tsx'
import { pageHead } from '../shared/pages/page-head.ts'
import { requireSession } from '../shared/session/require-session.ts'

export const Route = createFileRoute('/notifications')({
  ssr: false,
  beforeLoad: requireSession,
  head: ({ match }) =>
    pageHead({
      title: 'Notifications',
      description: 'Your notifications.',
      publicUrl: match.context.publicUrl,
      path: '/notifications',
      unlisted: true,
    }),
  pendingComponent: NotificationsSkeleton,
  component: NotificationsPage,
})
