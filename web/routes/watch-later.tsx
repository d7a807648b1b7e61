import { createFileRoute } from '@tanstack/react-router'
import { readContainerSearch } from '../features/collections/container-route.ts'
import { WatchLaterPage, WatchLaterSkeleton } from '../features/collections/watch-later-page.tsx'
import { pageHead } from '../shared/pages/page-head.ts'
import { requireSession } from '../shared/session/require-session.ts'

export const Route = createFileRoute('/watch-later')({
  ssr: false,
  validateSearch: readContainerSearch,
  beforeLoad: requireSession,
  head: ({ match }) =>
    pageHead({
      title: 'Watch Later',
      description: 'Your videos to watch later.',
      publicUrl: match.context.publicUrl,
      path: '/watch-later',
      unlisted: true,
    }),
  pendingComponent: WatchLaterSkeleton,
  component: () => <WatchLaterPage search={Route.useSearch()} />,
})
