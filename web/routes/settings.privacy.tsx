import { createFileRoute } from '@tanstack/react-router'
import { settingsHead } from '../features/settings/settings-head.ts'
import { SectionSkeleton } from '../features/settings/settings-page.tsx'
import { PrivacySettingsPanel } from '../features/users/privacy/settings-panel.tsx'

export const Route = createFileRoute('/settings/privacy')({
  head: ({ match }) => settingsHead('Privacy', '/settings/privacy', match.context.publicUrl),
  pendingComponent: SectionSkeleton,
  component: PrivacySettingsPanel,
})
