import { createFileRoute } from '@tanstack/react-router'
import { AppealsPage } from '../features/moderation/appeals/appeals-page.tsx'
import { type AppealsSearch, readAppealsSearch } from '../features/moderation/tab-search-params.ts'
import { readLater } from '../shared/paging/search-params.ts'

export const Route = createFileRoute('/moderator/appeals')({
  validateSearch: readLater<AppealsSearch>,
  component: Appeals,
})

function Appeals() {
  const navigate = Route.useNavigate()
  return (
    <AppealsPage
      search={Route.useSearch({ select: readAppealsSearch, structuralSharing: true })}
      onSearch={(search, options) => void navigate({ search, ...options })}
    />
  )
}
