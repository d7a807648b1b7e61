import { createFileRoute } from '@tanstack/react-router'
import { AppealsPage } from '../features/moderation/appeals/appeals-page.tsx'
import { readAppealsSearch } from '../features/moderation/tab-search-params.ts'

export const Route = createFileRoute('/moderator/appeals')({
  validateSearch: readAppealsSearch,
  component: Appeals,
})

function Appeals() {
  const navigate = Route.useNavigate()
  return (
    <AppealsPage
      search={Route.useSearch()}
      onSearch={(search, options) => void navigate({ search, ...options })}
    />
  )
}
