import { createFileRoute } from '@tanstack/react-router'
import { AccessTokensSettingsPanel } from '../features/auth/access-tokens/settings-panel.tsx'
import { settingsHead } from '../features/settings/settings-head.ts'
import { SectionSkeleton } from '../features/settings/settings-page.tsx'

export const Route = createFileRoute('/settings/tokens')({
  head: ({ match }) => settingsHead('Access tokens', '/settings/tokens', match.context.publicUrl),
  pendingComponent: SectionSkeleton,
  component: AccessTokensSettingsPanel,
})
