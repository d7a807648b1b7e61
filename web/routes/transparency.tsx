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
        'Who decides what stays on Reelmark, by which rules, and how often: reports, removals, sanctions and appeals by month, without names.',
      publicUrl: match.context.publicUrl,
      path: '/transparency',
    }),
  component: Transparency,
})

function Transparency() {
  return <TransparencyPage {...Route.useLoaderData()} />
}
