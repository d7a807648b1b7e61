import { createFileRoute } from '@tanstack/react-router'
import { sectionHead } from '../features/settings/section-head.ts'
import { SectionSkeleton } from '../features/settings/settings-page.tsx'
import { TokensSection } from '../features/settings/tokens-section.tsx'

export const Route = createFileRoute('/settings/tokens')({
  head: ({ match }) => sectionHead('Access tokens', '/settings/tokens', match.context.publicUrl),
  pendingComponent: SectionSkeleton,
  component: TokensSection,
})
