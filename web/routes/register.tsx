import { createFileRoute } from '@tanstack/react-router'
import { redirectSearch } from '../features/accounts/redirect-search.ts'
import { RegisterPage } from '../features/accounts/register-page.tsx'

export const Route = createFileRoute('/register')({
  validateSearch: redirectSearch,
  head: () => ({ meta: [{ title: 'Sign up · Reelmark' }] }),
  component: Register,
})

function Register() {
  return <RegisterPage redirect={Route.useSearch().redirect} />
}
