import { createFileRoute } from '@tanstack/react-router'
import { UsersPage } from '../features/moderation/sanctions/users-page.tsx'
import { readUsersSearch, type UsersSearch } from '../features/moderation/tab-search-params.ts'
import { readLater } from '../shared/paging/search-params.ts'

export const Route = createFileRoute('/moderator/users/')({
  validateSearch: readLater<UsersSearch>,
  component: Users,
})

function Users() {
  const navigate = Route.useNavigate()
  return (
    <UsersPage
      search={Route.useSearch({ select: readUsersSearch, structuralSharing: true })}
      onSearch={(search, options) => void navigate({ search, ...options })}
    />
  )
}
