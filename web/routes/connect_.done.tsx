import { createFileRoute } from '@tanstack/react-router'
import { ConnectionDonePage } from '../features/auth/connections/connection-done-page.tsx'
import { resetPageHead } from '../features/auth/passwords/reset-page-head.ts'

/** Where the answer of the user goes if the program has no address of its own. The answer is in the fragment. */
export const Route = createFileRoute('/connect_/done')({
  head: ({ match }) =>
    resetPageHead({
      title: 'Connect a program',
      description: 'The answer for a program that wants to use your Reelmark account.',
      publicUrl: match.context.publicUrl,
      path: '/connect/done',
    }),
  component: ConnectionDonePage,
})
