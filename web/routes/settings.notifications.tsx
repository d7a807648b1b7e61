import { createFileRoute } from '@tanstack/react-router'
import { NotificationsSection } from '../features/settings/notifications-section.tsx'
import { sectionHead } from '../features/settings/section-head.ts'
import { SectionSkeleton } from '../features/settings/settings-page.tsx'

export const Route = createFileRoute('/settings/notifications')({
  head: ({ match }) => sectionHead('Notifications', '/settings/notifications', match.context.publicUrl),
  pendingComponent: SectionSkeleton,
  component: NotificationsSection,
})
