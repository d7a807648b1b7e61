import { createFileRoute } from '@tanstack/react-router'
import { settingsHead } from '../features/settings/settings-head.ts'
import { SettingsPage, SettingsSkeleton } from '../features/settings/settings-page.tsx'
import { requireSession } from '../shared/session/require-session.ts'

export const Route = createFileRoute('/settings')({
  ssr: false,
  beforeLoad: requireSession,
  head: ({ match }) => settingsHead(null, '/settings', match.context.publicUrl),
  pendingComponent: SettingsSkeleton,
  component: SettingsPage,
})
