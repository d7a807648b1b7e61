import { createFileRoute } from '@tanstack/react-router'
import { settingsHead } from '../features/settings/settings-head.ts'
import { SectionSkeleton } from '../features/settings/settings-page.tsx'
import { TransferSettingsPanel } from '../features/transfer/settings-panel.tsx'

export const Route = createFileRoute('/settings/data')({
  head: ({ match }) => settingsHead('Data', '/settings/data', match.context.publicUrl),
  pendingComponent: SectionSkeleton,
  component: TransferSettingsPanel,
})
