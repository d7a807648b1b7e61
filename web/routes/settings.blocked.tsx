import { createFileRoute } from '@tanstack/react-router'
import { SafetySection } from '../features/safety/safety-section.tsx'
import { sectionHead } from '../features/settings/section-head.ts'
import { SectionSkeleton } from '../features/settings/settings-page.tsx'

export const Route = createFileRoute('/settings/blocked')({
  head: ({ match }) => sectionHead('Blocked and muted', '/settings/blocked', match.context.publicUrl),
  pendingComponent: SectionSkeleton,
  component: SafetySection,
})
