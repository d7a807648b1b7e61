import { createFileRoute } from '@tanstack/react-router'
import { ReportsSettingsPanel } from '../features/moderation/reports/settings-panel.tsx'
import { settingsHead } from '../features/settings/settings-head.ts'
import { SectionSkeleton } from '../features/settings/settings-page.tsx'

export const Route = createFileRoute('/settings/reports')({
  head: ({ match }) => settingsHead('Reports and decisions', '/settings/reports', match.context.publicUrl),
  pendingComponent: SectionSkeleton,
  component: ReportsSettingsPanel,
})
