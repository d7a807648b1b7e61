import { createFileRoute } from '@tanstack/react-router'
import { ForgotPasswordPage } from '../features/auth/passwords/forgot-password-page.tsx'
import { resetPageHead } from '../features/auth/passwords/reset-page-head.ts'

export const Route = createFileRoute('/forgot-password')({
  head: ({ match }) =>
    resetPageHead({
      title: 'Forgot Password',
      description: 'Reset your Reelmark password.',
      publicUrl: match.context.publicUrl,
      path: '/forgot-password',
    }),
  component: ForgotPasswordPage,
})
