import { createFileRoute } from '@tanstack/react-router'
import { RulesPage } from '../features/moderation/content-rules/rules-page.tsx'
import { readRulesSearch } from '../features/moderation/tab-search-params.ts'

export const Route = createFileRoute('/moderator/rules')({
  validateSearch: readRulesSearch,
  component: Rules,
})

function Rules() {
  const navigate = Route.useNavigate()
  return (
    <RulesPage
      search={Route.useSearch()}
      onSearch={(search, options) => void navigate({ search, ...options })}
    />
  )
}
