import { createFileRoute } from '@tanstack/react-router'
import { resetPasswordPageHead } from '../features/auth/passwords/reset-page-head.ts'
import { ResetPasswordPage } from '../features/auth/passwords/reset-password-page.tsx'

/** Target of the mailed link. Both parts are optional, so that an incomplete link gets an explanation, not a 404. */
export const Route = createFileRoute('/reset-password/{-$uidb64}/{-$token}')({
  head: ({ match }) => resetPasswordPageHead(match.context.publicUrl),
  component: ResetPassword,
})

function ResetPassword() {
  const link = Route.useParams()
  // The key resets the page when another link is opened in the same tab.
  return <ResetPasswordPage key={`${link.uidb64}/${link.token}`} {...link} />
}
