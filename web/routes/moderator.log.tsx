import { createFileRoute } from '@tanstack/react-router'
import { AuditLogPage } from '../features/moderation/audit/audit-log-page.tsx'
import { readAuditLogSearch } from '../features/moderation/tab-search-params.ts'

export const Route = createFileRoute('/moderator/log')({
  validateSearch: readAuditLogSearch,
  component: AuditLog,
})

function AuditLog() {
  const navigate = Route.useNavigate()
  return <AuditLogPage search={Route.useSearch()} onSearch={(search) => void navigate({ search })} />
}
