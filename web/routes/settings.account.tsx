import { createFileRoute } from '@tanstack/react-router'
import { AccountSettingsPanel } from '../features/auth/accounts/settings-panel.tsx'
import { settingsHead } from '../features/settings/settings-head.ts'
import { SectionSkeleton } from '../features/settings/settings-page.tsx'

export const Route = createFileRoute('/settings/account')({
  head: ({ match }) => settingsHead('Account', '/settings/account', match.context.publicUrl),
  pendingComponent: SectionSkeleton,
  component: AccountSettingsPanel,
})
