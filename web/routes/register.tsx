import { createFileRoute } from '@tanstack/react-router'
import { redirectSearch } from '../features/accounts/redirect-search.ts'
import { RegisterPage } from '../features/accounts/register-page.tsx'
import { signInWaysQuery } from '../features/accounts/sign-in-ways.ts'
import { pageHead } from '../features/shell/page-head.ts'

export const Route = createFileRoute('/register')({
  codeSplitGroupings: [['loader', 'component']],
  validateSearch: redirectSearch,
  // Without an answer the page has one button less.
  loader: ({ context }) => context.queryClient.prefetchQuery(signInWaysQuery),
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
