import { createFileRoute } from '@tanstack/react-router'
import { readCaseSearch } from '../features/moderation/cases/case-search.ts'
import { CasesPage } from '../features/moderation/cases/cases-page.tsx'

export const Route = createFileRoute('/moderator/')({
  validateSearch: readCaseSearch,
  component: Cases,
})

function Cases() {
  const navigate = Route.useNavigate()
  return (
    <CasesPage
      search={Route.useSearch()}
      onSearch={(search, options) => void navigate({ search, ...options })}
    />
  )
}
