import { createFileRoute } from '@tanstack/react-router'
import { WebhooksSettingsPanel } from '../features/notifications/webhooks/settings-panel.tsx'
import { settingsHead } from '../features/settings/settings-head.ts'
import { SectionSkeleton } from '../features/settings/settings-page.tsx'

export const Route = createFileRoute('/settings/webhooks')({
  head: ({ match }) => settingsHead('Webhooks', '/settings/webhooks', match.context.publicUrl),
  pendingComponent: SectionSkeleton,
  component: WebhooksSettingsPanel,
})
