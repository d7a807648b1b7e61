import { createFileRoute } from '@tanstack/react-router'
import { SaveFromAnywherePanel } from '../features/bookmarks/save-from-anywhere/settings-panel.tsx'
import { settingsHead } from '../features/settings/settings-head.ts'
import { SectionSkeleton } from '../features/settings/settings-page.tsx'
import { useSiteContact } from '../features/shell/use-site-contact.ts'

export const Route = createFileRoute('/settings/save')({
  head: ({ match }) => settingsHead('Save from anywhere', '/settings/save', match.context.publicUrl),
  pendingComponent: SectionSkeleton,
  component: SaveFromAnywhere,
})

function SaveFromAnywhere() {
  return <SaveFromAnywherePanel sourceCode={useSiteContact().code} />
}
