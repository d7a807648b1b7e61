import { createFileRoute } from '@tanstack/react-router'
import { redirectSearch } from '../features/auth/accounts/redirect-search.ts'
import { RegisterPage } from '../features/auth/accounts/register-page.tsx'
import { signInMethodsQuery } from '../features/auth/accounts/sign-in-methods.ts'
import { pageHead } from '../shared/pages/page-head.ts'

export const Route = createFileRoute('/register')({
  validateSearch: redirectSearch,
  // If this request fails, the page only lacks the identity provider's button.
  loader: ({ context }) => context.queryClient.prefetchQuery(signInMethodsQuery),
  head: ({ match }) =>
    pageHead({
      title: 'Sign up',
      description: 'Create a Reelmark account.',
      publicUrl: match.context.publicUrl,
      path: '/register',
    }),
  component: Register,
})

function Register() {
  return <RegisterPage redirect={Route.useSearch().redirect} />
}
