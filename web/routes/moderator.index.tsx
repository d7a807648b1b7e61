import { createFileRoute } from '@tanstack/react-router'
import { QueuePage } from '../features/moderation/queue-page.tsx'
import { readQueueSearch } from '../features/moderation/queue-search.ts'

export const Route = createFileRoute('/moderator/')({
  validateSearch: readQueueSearch,
  component: Queue,
})

function Queue() {
  const navigate = Route.useNavigate()
  return (
    <QueuePage
      search={Route.useSearch()}
      onSearch={(search, options) => void navigate({ search, ...options })}
    />
  )
}
