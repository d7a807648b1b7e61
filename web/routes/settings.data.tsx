import { createFileRoute } from '@tanstack/react-router'
import { DataSection } from '../features/settings/data-section.tsx'
import { sectionHead } from '../features/settings/section-head.ts'
import { SectionSkeleton } from '../features/settings/settings-page.tsx'

export const Route = createFileRoute('/settings/data')({
  head: ({ match }) => sectionHead('Data', '/settings/data', match.context.publicUrl),
  pendingComponent: SectionSkeleton,
  component: DataSection,
})
