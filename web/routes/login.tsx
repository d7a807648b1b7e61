import { createFileRoute } from '@tanstack/react-router'
import { LoginPage } from '../features/accounts/login-page.tsx'
import { redirectSearch } from '../features/accounts/redirect-search.ts'
import { signInWaysQuery } from '../features/accounts/sign-in-ways.ts'
import { pageHead } from '../features/shell/page-head.ts'

export const Route = createFileRoute('/login')({
  codeSplitGroupings: [['loader', 'component']],
  validateSearch: redirectSearch,
  // Without an answer the page has one button less.
  loader: ({ context }) => context.queryClient.prefetchQuery(signInWaysQuery),
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
