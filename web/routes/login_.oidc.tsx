import { createFileRoute } from '@tanstack/react-router'
import { OidcPage } from '../features/accounts/oidc-page.tsx'
import { resetHead } from '../features/accounts/reset-head.ts'
import type { Returned } from '../features/accounts/sign-in-ways.ts'

type ReturnedSearch = Partial<Returned>

/** The way back from the other site that one signs in through. */
export const Route = createFileRoute('/login_/oidc')({
  validateSearch: (search: Record<string, unknown>): ReturnedSearch => {
    const known = ['state', 'code', 'iss', 'error'] as const
    return Object.fromEntries(
      known.flatMap((name) => (typeof search[name] === 'string' ? [[name, search[name]]] : [])),
    )
  },
  head: ({ match }) =>
    resetHead({
      title: 'Log in',
      description: 'Log in to your vault on Reelmark.',
      publicUrl: match.context.publicUrl,
      path: '/login/oidc',
    }),
  component: Oidc,
})

function Oidc() {
  return <OidcPage returned={Route.useSearch()} />
}
