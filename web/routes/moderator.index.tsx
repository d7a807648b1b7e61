import { createFileRoute } from '@tanstack/react-router'
import { type CaseSearch, readCaseSearch } from '../features/moderation/cases/case-search.ts'
import { CasesPage } from '../features/moderation/cases/cases-page.tsx'
import { readLater } from '../shared/paging/search-params.ts'

export const Route = createFileRoute('/moderator/')({
  validateSearch: readLater<CaseSearch>,
  component: Cases,
})

function Cases() {
  const navigate = Route.useNavigate()
  return (
    <CasesPage
      search={Route.useSearch({ select: readCaseSearch, structuralSharing: true })}
      onSearch={(search, options) => void navigate({ search, ...options })}
    />
  )
}
