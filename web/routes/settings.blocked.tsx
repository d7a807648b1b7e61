import { createFileRoute } from '@tanstack/react-router'
import { settingsHead } from '../features/settings/settings-head.ts'
import { SectionSkeleton } from '../features/settings/settings-page.tsx'
import { BlocksSettingsPanel } from '../features/users/blocks/settings-panel.tsx'

export const Route = createFileRoute('/settings/blocked')({
  head: ({ match }) => settingsHead('Blocked and muted', '/settings/blocked', match.context.publicUrl),
  pendingComponent: SectionSkeleton,
  component: BlocksSettingsPanel,
})
