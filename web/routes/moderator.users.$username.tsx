import { createFileRoute } from '@tanstack/react-router'
import { RecordPage } from '../features/moderation/record-page.tsx'

export const Route = createFileRoute('/moderator/users/$username')({
  component: Record,
})

function Record() {
  const { username } = Route.useParams()
  return <RecordPage key={username} username={username} />
}
