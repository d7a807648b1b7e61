import { createFileRoute } from '@tanstack/react-router'
import { NotificationsSettingsPanel } from '../features/notifications/settings-panel.tsx'
import { settingsHead } from '../features/settings/settings-head.ts'
import { SectionSkeleton } from '../features/settings/settings-page.tsx'

export const Route = createFileRoute('/settings/notifications')({
  head: ({ match }) => settingsHead('Notifications', '/settings/notifications', match.context.publicUrl),
  pendingComponent: SectionSkeleton,
  component: NotificationsSettingsPanel,
})
