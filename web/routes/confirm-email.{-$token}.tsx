import { createFileRoute } from '@tanstack/react-router'
import { ConfirmEmailPage } from '../features/accounts/confirm-email.tsx'
import { resetHead } from '../features/accounts/reset-head.ts'

/** Where the mail's link leads. Without its end, the link says that it was cut, and is not a page not found. */
export const Route = createFileRoute('/confirm-email/{-$token}')({
  head: ({ match }) =>
    resetHead({
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
