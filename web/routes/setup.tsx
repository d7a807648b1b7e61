import { createFileRoute } from '@tanstack/react-router'
import { OwnerSetupPage } from '../features/auth/accounts/owner-setup-page.tsx'
import { resetPageHead } from '../features/auth/passwords/reset-page-head.ts'

export const Route = createFileRoute('/setup')({
  head: ({ match }) =>
    resetPageHead({
      title: 'Set up Reelmark',
      description: 'Create the account of the site owner.',
      publicUrl: match.context.publicUrl,
      path: '/setup',
    }),
  component: OwnerSetupPage,
})
