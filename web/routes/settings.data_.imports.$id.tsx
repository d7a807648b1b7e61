import type { ImportOutcomeName } from '@reelmark/contract/imports.ts'
import { createFileRoute } from '@tanstack/react-router'
import { useCallback } from 'react'
import { settingsHead } from '../features/settings/settings-head.ts'
import { SectionSkeleton } from '../features/settings/settings-page.tsx'
import { ImportPage } from '../features/transfer/imports/import-page.tsx'
import { readId, readLater } from '../shared/paging/search-params.ts'

export const Route = createFileRoute('/settings/data_/imports/$id')({
  validateSearch: readLater<{ outcome: string }>,
  head: ({ match }) => settingsHead('Import', '/settings/data', match.context.publicUrl),
  pendingComponent: SectionSkeleton,
  component: ImportRoute,
})

function ImportRoute() {
  const navigate = Route.useNavigate()
  const onOutcome = useCallback(
    (outcome: ImportOutcomeName | null) =>
      void navigate({ search: outcome === null ? {} : { outcome }, replace: true, resetScroll: false }),
    [navigate],
  )
  const id = readId(Route.useParams().id) ?? null
  return <ImportPage key={id} id={id} outcome={Route.useSearch().outcome} onOutcome={onOutcome} />
}
