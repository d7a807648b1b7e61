import { createFileRoute } from '@tanstack/react-router'
import { ModeratorPage, ModeratorSkeleton } from '../features/moderation/moderator-page.tsx'
import { requireModerator } from '../features/moderation/require-moderator.ts'
import { pageHead } from '../shared/pages/page-head.ts'

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
  pendingComponent: ModeratorSkeleton,
  component: ModeratorPage,
})
