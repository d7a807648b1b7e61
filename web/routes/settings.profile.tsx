import { createFileRoute } from '@tanstack/react-router'
import { settingsHead } from '../features/settings/settings-head.ts'
import { SectionSkeleton } from '../features/settings/settings-page.tsx'
import { ProfileSettingsPanel } from '../features/users/profiles/settings-panel.tsx'

export const Route = createFileRoute('/settings/profile')({
  head: ({ match }) => settingsHead('Profile', '/settings/profile', match.context.publicUrl),
  pendingComponent: SectionSkeleton,
  component: ProfileSettingsPanel,
})
