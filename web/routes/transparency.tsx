import { createFileRoute } from '@tanstack/react-router'
import { TransparencyPage } from '../features/reports/transparency-page.tsx'
import { moderationCountsQuery } from '../features/reports/transparency-query.ts'
import { pageHead } from '../features/shell/page-head.ts'

export const Route = createFileRoute('/transparency')({
  codeSplitGroupings: [['loader', 'component']],
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
