import { createFileRoute } from '@tanstack/react-router'
import { redirectSearch } from '../features/accounts/redirect-search.ts'
import { RegisterPage } from '../features/accounts/register-page.tsx'
import { pageHead } from '../features/shell/page-head.ts'

export const Route = createFileRoute('/register')({
  validateSearch: redirectSearch,
  head: ({ match }) =>
    pageHead({
      title: 'Sign up',
      description: 'Create a vault of your own for videos from around the web.',
      publicUrl: match.context.publicUrl,
      path: '/register',
    }),
  component: Register,
})

function Register() {
  return <RegisterPage redirect={Route.useSearch().redirect} />
}
