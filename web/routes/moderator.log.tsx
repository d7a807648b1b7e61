import { createFileRoute } from '@tanstack/react-router'
import { AuditLogPage } from '../features/moderation/audit/audit-log-page.tsx'
import { type AuditLogSearch, readAuditLogSearch } from '../features/moderation/tab-search-params.ts'
import { readLater } from '../shared/paging/search-params.ts'

export const Route = createFileRoute('/moderator/log')({
  validateSearch: readLater<AuditLogSearch>,
  component: AuditLog,
})

function AuditLog() {
  const navigate = Route.useNavigate()
  return (
    <AuditLogPage
      search={Route.useSearch({ select: readAuditLogSearch, structuralSharing: true })}
      onSearch={(search) => void navigate({ search })}
    />
  )
}
