import { createFileRoute } from '@tanstack/react-router'
import { readUsersSearch } from '../features/moderation/tab-searches.ts'
import { UsersPage } from '../features/moderation/users-page.tsx'

export const Route = createFileRoute('/moderator/users/')({
  validateSearch: readUsersSearch,
  component: Users,
})

function Users() {
  const navigate = Route.useNavigate()
  return (
    <UsersPage
      search={Route.useSearch()}
      onSearch={(search, options) => void navigate({ search, ...options })}
    />
  )
}
