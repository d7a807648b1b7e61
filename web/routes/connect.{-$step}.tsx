import { createFileRoute } from '@tanstack/react-router'
import { ConnectPage } from '../features/auth/connections/connect-page.tsx'
import { ConnectionDonePage } from '../features/auth/connections/connection-done-page.tsx'
import { resetPageHead } from '../features/auth/passwords/reset-page-head.ts'

const parameters = /^(?:response_type|client_id|scope|state|code_challenge(?:_method)?|redirect_uri)$/

/** The page that a program opens so that a user allows it to use their account, and `/connect/done` for the answer. */
export const Route = createFileRoute('/connect/{-$step}')({
  validateSearch: (search: Record<string, string>): Partial<Record<string, string>> =>
    Object.fromEntries(Object.entries(search).filter(([name]) => parameters.test(name))),
  head: ({ match }) =>
    resetPageHead({
      title: 'Connect a program',
      description: 'Connect a program.',
      publicUrl: match.context.publicUrl,
      path: '/connect',
    }),
  component: Connect,
})

function Connect() {
  const search = Route.useSearch()
  return Route.useParams().step === undefined ? <ConnectPage search={search} /> : <ConnectionDonePage />
}
