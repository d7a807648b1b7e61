import { createFileRoute } from '@tanstack/react-router'
import { resetPasswordPageHead } from '../features/auth/passwords/reset-page-head.ts'
import { ResetPasswordPage } from '../features/auth/passwords/reset-password-page.tsx'

/** Where the mail's link leads. Both parts may be missing: a link that was cut says so, and is not a page not found. */
export const Route = createFileRoute('/reset-password/{-$uidb64}/{-$token}')({
  head: ({ match }) => resetPasswordPageHead(match.context.publicUrl),
  component: ResetPassword,
})

function ResetPassword() {
  const link = Route.useParams()
  // Another link opened in this tab starts over.
  return <ResetPasswordPage key={`${link.uidb64}/${link.token}`} {...link} />
}
