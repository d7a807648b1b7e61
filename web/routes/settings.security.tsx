import { createFileRoute } from '@tanstack/react-router'
import { SecuritySettingsPanel } from '../features/auth/security-settings-panel.tsx'
import { settingsHead } from '../features/settings/settings-head.ts'
import { SectionSkeleton } from '../features/settings/settings-page.tsx'

export const Route = createFileRoute('/settings/security')({
  head: ({ match }) => settingsHead('Security', '/settings/security', match.context.publicUrl),
  pendingComponent: SectionSkeleton,
  component: SecuritySettingsPanel,
})
