import { createFileRoute } from '@tanstack/react-router'
import { resetPasswordPageHead } from '../features/auth/passwords/reset-page-head.ts'
import { type ResetLink, ResetPasswordPage } from '../features/auth/passwords/reset-password-page.tsx'

/** The page for resetting a password, with the link's parts in the query. */
export const Route = createFileRoute('/reset-password-confirm')({
  validateSearch: ({ uidb64, token }: { uidb64?: unknown; token?: unknown }): ResetLink => ({
    ...(typeof uidb64 === 'string' && { uidb64 }),
    ...(typeof token === 'string' && { token }),
  }),
  head: ({ match }) => resetPasswordPageHead(match.context.publicUrl),
  component: ResetPassword,
})

function ResetPassword() {
  const link = Route.useSearch()
  return <ResetPasswordPage key={`${link.uidb64}/${link.token}`} {...link} />
}
