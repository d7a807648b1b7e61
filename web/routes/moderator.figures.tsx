import { createFileRoute } from '@tanstack/react-router'
import { FiguresPage } from '../features/moderation/figures-page.tsx'
import { readFiguresSearch } from '../features/moderation/tab-searches.ts'

export const Route = createFileRoute('/moderator/figures')({
  validateSearch: readFiguresSearch,
  component: Figures,
})

function Figures() {
  const navigate = Route.useNavigate()
  return <FiguresPage search={Route.useSearch()} onSearch={(search) => void navigate({ search })} />
}
