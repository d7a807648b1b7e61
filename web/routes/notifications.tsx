import { createFileRoute } from '@tanstack/react-router'
import { requireSession } from '../features/accounts/require-session.ts'
import { NotificationsPage, NotificationsSkeleton } from '../features/notifications/notifications-page.tsx'
import { pageHead } from '../features/shell/page-head.ts'

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
