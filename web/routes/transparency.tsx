import { createFileRoute } from '@tanstack/react-router'
import { TransparencyPage } from '../features/moderation/decisions/transparency-page.tsx'
import { moderationCountsQuery } from '../features/moderation/decisions/transparency-query.ts'
import { pageHead } from '../shared/pages/page-head.ts'

export const Route = createFileRoute('/transparency')({
  loader: ({ context }) => context.queryClient.ensureQueryData(moderationCountsQuery),
  head: ({ match }) =>
    pageHead({
      title: 'How we moderate',
      description:
        'How Reelmark is moderated, with monthly statistics on reports, removals, sanctions and appeals.',
      publicUrl: match.context.publicUrl,
      path: '/transparency',
    }),
  component: Transparency,
})

function Transparency() {
  return <TransparencyPage {...Route.useLoaderData()} />
}
