import { createFileRoute } from '@tanstack/react-router'
import { UsersPage } from '../features/moderation/sanctions/users-page.tsx'
import { readUsersSearch } from '../features/moderation/tab-search-params.ts'

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
