import { createFileRoute } from '@tanstack/react-router'
import { AccountPage } from '../features/accounts/account-page.tsx'
import { LoginForm } from '../features/accounts/login-form.tsx'
import { redirectSearch } from '../features/accounts/redirect-search.ts'

export const Route = createFileRoute('/login')({
  validateSearch: redirectSearch,
  head: () => ({ meta: [{ title: 'Log in · Reelmark' }, { name: 'robots', content: 'noindex' }] }),
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
