import { createFileRoute } from '@tanstack/react-router'
import { AccountSection } from '../features/settings/account-section.tsx'
import { sectionHead } from '../features/settings/section-head.ts'
import { SectionSkeleton } from '../features/settings/settings-page.tsx'

export const Route = createFileRoute('/settings/account')({
  head: ({ match }) => sectionHead('Account', '/settings/account', match.context.publicUrl),
  pendingComponent: SectionSkeleton,
  component: AccountSection,
})
