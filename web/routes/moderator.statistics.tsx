import { createFileRoute } from '@tanstack/react-router'
import { StatisticsPage } from '../features/moderation/audit/statistics-page.tsx'
import { readStatisticsSearch, type StatisticsSearch } from '../features/moderation/tab-search-params.ts'
import { readLater } from '../shared/paging/search-params.ts'

export const Route = createFileRoute('/moderator/statistics')({
  validateSearch: readLater<StatisticsSearch>,
  component: Statistics,
})

function Statistics() {
  const navigate = Route.useNavigate()
  return (
    <StatisticsPage
      search={Route.useSearch({ select: readStatisticsSearch, structuralSharing: true })}
      onSearch={(search) => void navigate({ search })}
    />
  )
}
