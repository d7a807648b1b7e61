import { createFileRoute } from '@tanstack/react-router'
import { resetPageHead } from '../features/auth/passwords/reset-page-head.ts'
import { UnsubscribePage } from '../features/notifications/unsubscribe-page.tsx'

export const Route = createFileRoute('/unsubscribe/$token')({
  head: ({ match }) =>
    resetPageHead({
      title: 'Unsubscribe from emails',
      description: 'Unsubscribe from notification emails.',
      publicUrl: match.context.publicUrl,
      path: '/unsubscribe',
    }),
  component: Unsubscribe,
})

function Unsubscribe() {
  const { token } = Route.useParams()
  return <UnsubscribePage key={token} token={token} />
}
