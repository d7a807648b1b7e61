import { createFileRoute } from '@tanstack/react-router'
import { ConfirmEmailPage } from '../features/auth/email-change/confirm-email-page.tsx'
import { resetPageHead } from '../features/auth/passwords/reset-page-head.ts'

/** Where the mail's link leads. Without its end, the link says that it was cut, and is not a page not found. */
export const Route = createFileRoute('/confirm-email/{-$token}')({
  head: ({ match }) =>
    resetPageHead({
      title: 'Confirm your email',
      description: 'Confirm your new email address.',
      publicUrl: match.context.publicUrl,
      path: '/confirm-email',
    }),
  component: ConfirmEmail,
})

function ConfirmEmail() {
  const { token } = Route.useParams()
  // Another link opened in this tab starts over.
  return <ConfirmEmailPage key={token} token={token ?? ''} />
}
