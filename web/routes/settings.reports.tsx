import { createFileRoute } from '@tanstack/react-router'
import { ReportsSection } from '../features/reports/reports-section.tsx'
import { sectionHead } from '../features/settings/section-head.ts'
import { SectionSkeleton } from '../features/settings/settings-page.tsx'

export const Route = createFileRoute('/settings/reports')({
  head: ({ match }) => sectionHead('Reports and decisions', '/settings/reports', match.context.publicUrl),
  pendingComponent: SectionSkeleton,
  component: ReportsSection,
})
