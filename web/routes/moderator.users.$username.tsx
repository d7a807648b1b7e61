import { createFileRoute } from '@tanstack/react-router'
import { UserHistoryPage } from '../features/moderation/sanctions/user-history-page.tsx'

export const Route = createFileRoute('/moderator/users/$username')({
  component: UserHistoryRoute,
})

function UserHistoryRoute() {
  const { username } = Route.useParams()
  return <UserHistoryPage key={username} username={username} />
}
