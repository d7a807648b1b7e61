import { createFileRoute } from '@tanstack/react-router'
import { requireSession } from '../features/accounts/require-session.ts'
import { sectionHead } from '../features/settings/section-head.ts'
import { SettingsPage, SettingsSkeleton } from '../features/settings/settings-page.tsx'

export const Route = createFileRoute('/settings')({
  ssr: false,
  beforeLoad: requireSession,
  head: ({ match }) => sectionHead(null, '/settings', match.context.publicUrl),
  pendingComponent: SettingsSkeleton,
  component: SettingsPage,
})
