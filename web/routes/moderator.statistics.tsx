import { createFileRoute } from '@tanstack/react-router'
import { StatisticsPage } from '../features/moderation/audit/statistics-page.tsx'
import { readStatisticsSearch } from '../features/moderation/tab-search-params.ts'

export const Route = createFileRoute('/moderator/statistics')({
  validateSearch: readStatisticsSearch,
  component: Statistics,
})

function Statistics() {
  const navigate = Route.useNavigate()
  return <StatisticsPage search={Route.useSearch()} onSearch={(search) => void navigate({ search })} />
}
