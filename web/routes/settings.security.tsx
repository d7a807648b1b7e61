import { createFileRoute } from '@tanstack/react-router'
import { sectionHead } from '../features/settings/section-head.ts'
import { SecuritySection } from '../features/settings/security-section.tsx'
import { SectionSkeleton } from '../features/settings/settings-page.tsx'

export const Route = createFileRoute('/settings/security')({
  head: ({ match }) => sectionHead('Security', '/settings/security', match.context.publicUrl),
  pendingComponent: SectionSkeleton,
  component: SecuritySection,
})
