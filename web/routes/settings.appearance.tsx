import { createFileRoute } from '@tanstack/react-router'
import { AppearancePanel } from '../features/settings/appearance-panel.tsx'
import { settingsHead } from '../features/settings/settings-head.ts'
import { SectionSkeleton } from '../features/settings/settings-page.tsx'

export const Route = createFileRoute('/settings/appearance')({
  head: ({ match }) => settingsHead('Appearance', '/settings/appearance', match.context.publicUrl),
  pendingComponent: SectionSkeleton,
  component: AppearancePanel,
})
