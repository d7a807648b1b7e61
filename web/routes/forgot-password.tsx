import { createFileRoute } from '@tanstack/react-router'
import { ForgotPasswordPage } from '../features/accounts/forgot-password.tsx'
import { resetHead } from '../features/accounts/reset-head.ts'

export const Route = createFileRoute('/forgot-password')({
  head: ({ match }) =>
    resetHead({
      title: 'Forgot Password',
      description: 'Reset your Reelmark password.',
      publicUrl: match.context.publicUrl,
      path: '/forgot-password',
    }),
  component: ForgotPasswordPage,
})
