import { createFileRoute } from '@tanstack/react-router'
import { ConnectPage, ConnectSkeleton } from '../features/auth/connections/connect-page.tsx'
import { resetPageHead } from '../features/auth/passwords/reset-page-head.ts'
import { requireSession } from '../shared/session/require-session.ts'

const parameters = [
  'response_type',
  'client_id',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'redirect_uri',
] as const
export type ConnectSearch = Partial<Record<(typeof parameters)[number], string>>

/** The page that a program opens so that a user allows it to use their account (contract/connections.ts). */
export const Route = createFileRoute('/connect')({
  ssr: false,
  validateSearch: (search: Record<string, unknown>): ConnectSearch =>
    Object.fromEntries(
      parameters.flatMap((name) => (typeof search[name] === 'string' ? [[name, search[name]]] : [])),
    ),
  beforeLoad: async ({ search, location }) => {
    const { readConnectionRequest } = await import('../features/auth/connections/connection-request.ts')
    // An invalid request is explained to everyone.
    if (readConnectionRequest(search).request !== null) await requireSession({ location })
  },
  head: ({ match }) =>
    resetPageHead({
      title: 'Connect a program',
      description: 'Allow a program to use your Reelmark account.',
      publicUrl: match.context.publicUrl,
      path: '/connect',
    }),
  pendingComponent: ConnectSkeleton,
  component: Connect,
})

function Connect() {
  return <ConnectPage search={Route.useSearch()} />
}
