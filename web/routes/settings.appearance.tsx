import { createFileRoute } from '@tanstack/react-router'
import { AppearanceSection } from '../features/settings/appearance-section.tsx'
import { sectionHead } from '../features/settings/section-head.ts'
import { SectionSkeleton } from '../features/settings/settings-page.tsx'

export const Route = createFileRoute('/settings/appearance')({
  head: ({ match }) => sectionHead('Appearance', '/settings/appearance', match.context.publicUrl),
  pendingComponent: SectionSkeleton,
  component: AppearanceSection,
})
