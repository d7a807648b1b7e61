import { createFileRoute } from '@tanstack/react-router'
import { AccountPage } from '../features/accounts/account-page.tsx'
import { LoginForm } from '../features/accounts/login-form.tsx'
import { redirectSearch } from '../features/accounts/redirect-search.ts'
import { pageHead } from '../features/shell/page-head.ts'

export const Route = createFileRoute('/login')({
  validateSearch: redirectSearch,
  head: ({ match }) =>
    pageHead({
      title: 'Log in',
      description: 'Log in to your vault on Reelmark.',
      publicUrl: match.context.publicUrl,
      path: '/login',
      unlisted: true,
    }),
  component: Login,
})

function Login() {
  const { redirect } = Route.useSearch()
  return (
    <AccountPage title="Log in" lead="Welcome back to your vault.">
      <LoginForm redirect={redirect} />
    </AccountPage>
  )
}
