import { createFileRoute } from '@tanstack/react-router'
import type { OidcReturn } from '../features/auth/accounts/sign-in-methods.ts'
import { OidcPage } from '../features/auth/identities/oidc-page.tsx'
import { resetPageHead } from '../features/auth/passwords/reset-page-head.ts'

type OidcReturnSearch = Partial<OidcReturn>

/** The address the identity provider redirects back to. */
export const Route = createFileRoute('/login_/oidc')({
  validateSearch: (search: Record<string, unknown>): OidcReturnSearch => {
    const known = ['state', 'code', 'iss', 'error'] as const
    return Object.fromEntries(
      known.flatMap((name) => (typeof search[name] === 'string' ? [[name, search[name]]] : [])),
    )
  },
  head: ({ match }) =>
    resetPageHead({
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
