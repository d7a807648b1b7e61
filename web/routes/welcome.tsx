import { createFileRoute } from '@tanstack/react-router'
import { WelcomePage, WelcomeSkeleton } from '../features/users/welcome/welcome-page.tsx'
import { pageHead } from '../shared/pages/page-head.ts'
import { requireSession } from '../shared/session/require-session.ts'

export const Route = createFileRoute('/welcome')({
  ssr: false,
  beforeLoad: requireSession,
  head: ({ match }) =>
    pageHead({
      title: 'Get started',
      description: 'Import your videos, save from anywhere and find people to follow.',
      publicUrl: match.context.publicUrl,
      path: '/welcome',
      unlisted: true,
    }),
  pendingComponent: WelcomeSkeleton,
  component: WelcomePage,
})
