import { createFileRoute } from '@tanstack/react-router'
import { ConfirmEmailPage } from '../features/auth/email-confirmation/confirm-email-page.tsx'
import { resetPageHead } from '../features/auth/passwords/reset-page-head.ts'

/** Target of the mailed link. The token is optional, so that an incomplete link gets an explanation, not a 404. */
export const Route = createFileRoute('/confirm-email/{-$token}')({
  head: ({ match }) =>
    resetPageHead({
      title: 'Confirm your email',
      description: 'Confirm your email address.',
      publicUrl: match.context.publicUrl,
      path: '/confirm-email',
    }),
  component: ConfirmEmail,
})

function ConfirmEmail() {
  const { token } = Route.useParams()
  // The key resets the page when another link is opened in the same tab.
  return <ConfirmEmailPage key={token} token={token ?? ''} />
}
