import { createFileRoute } from '@tanstack/react-router'
import { LoginPage } from '../features/auth/accounts/login-page.tsx'
import { redirectSearch } from '../features/auth/accounts/redirect-search.ts'
import { signInMethodsQuery } from '../features/auth/accounts/sign-in-methods.ts'
import { pageHead } from '../shared/pages/page-head.ts'

export const Route = createFileRoute('/login')({
  validateSearch: redirectSearch,
  // If this request fails, the page only lacks the identity provider's button.
  loader: ({ context }) => context.queryClient.prefetchQuery(signInMethodsQuery),
  head: ({ match }) =>
    pageHead({
      title: 'Log in',
      description: 'Log in to Reelmark.',
      publicUrl: match.context.publicUrl,
      path: '/login',
      unlisted: true,
    }),
  component: Login,
})

function Login() {
  return <LoginPage redirect={Route.useSearch().redirect} />
}
