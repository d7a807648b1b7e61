import { createFileRoute } from '@tanstack/react-router'
import { ModeratorPage } from '../features/moderation/moderator-page.tsx'
import { requireModerator } from '../features/moderation/require-moderator.ts'
import { pageHead } from '../features/shell/page-head.ts'
import { SkeletonLine } from '../ui/skeleton.tsx'

export const Route = createFileRoute('/moderator')({
  ssr: false,
  beforeLoad: requireModerator,
  head: ({ match }) =>
    pageHead({
      title: 'Moderator Tools',
      description: 'For moderators.',
      publicUrl: match.context.publicUrl,
      path: '/moderator',
      unlisted: true,
    }),
  pendingComponent: () => (
    <div role="status" aria-label="Loading" className="page py-24">
      <SkeletonLine className="mx-auto h-10 w-64" />
    </div>
  ),
  component: ModeratorPage,
})
