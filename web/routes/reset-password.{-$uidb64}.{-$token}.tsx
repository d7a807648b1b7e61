import { createFileRoute } from '@tanstack/react-router'
import { resetHead } from '../features/accounts/reset-head.ts'
import { ResetPasswordPage } from '../features/accounts/reset-password.tsx'

/** Where the mail's link leads. Both parts may be missing: a link that was cut says so, and is not a page not found. */
export const Route = createFileRoute('/reset-password/{-$uidb64}/{-$token}')({
  head: ({ match }) =>
    resetHead({
      title: 'Reset Password',
      description: 'Choose a new password for your vault.',
      publicUrl: match.context.publicUrl,
      path: '/reset-password',
    }),
  component: ResetPassword,
})

function ResetPassword() {
  const link = Route.useParams()
  // Another link opened in this tab starts over.
  return <ResetPasswordPage key={`${link.uidb64}/${link.token}`} {...link} />
}
