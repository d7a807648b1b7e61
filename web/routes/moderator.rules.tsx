import { createFileRoute } from '@tanstack/react-router'
import { RulesPage } from '../features/moderation/content-rules/rules-page.tsx'
import { type RulesSearch, readRulesSearch } from '../features/moderation/tab-search-params.ts'
import { readLater } from '../shared/paging/search-params.ts'

export const Route = createFileRoute('/moderator/rules')({
  validateSearch: readLater<RulesSearch>,
  component: Rules,
})

function Rules() {
  const navigate = Route.useNavigate()
  return (
    <RulesPage
      search={Route.useSearch({ select: readRulesSearch, structuralSharing: true })}
      onSearch={(search, options) => void navigate({ search, ...options })}
    />
  )
}
