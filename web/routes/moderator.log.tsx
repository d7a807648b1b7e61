import { createFileRoute } from '@tanstack/react-router'
import { LogPage } from '../features/moderation/log-page.tsx'
import { readLogSearch } from '../features/moderation/tab-searches.ts'

export const Route = createFileRoute('/moderator/log')({
  validateSearch: readLogSearch,
  component: Log,
})

function Log() {
  const navigate = Route.useNavigate()
  return <LogPage search={Route.useSearch()} onSearch={(search) => void navigate({ search })} />
}
