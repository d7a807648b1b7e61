import { type Import, type ImportOutcomeName, importOutcomes } from '@reelmark/contract/imports.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useEffect, useRef } from 'react'
import { isApiError } from '../../../shared/errors/api-error.ts'
import { textLinkClass } from '../../../shared/pages/account-page.tsx'
import {
  SettingsEmpty,
  SettingsLoadFailed,
  SettingsPanel,
  SettingsRowsSkeleton,
} from '../../../shared/pages/settings-panel.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { invalidateBookmarks } from '../../bookmarks/public-api.ts'
import { importQuery, isInProgress } from '../queries.ts'
import { ImportProgress } from './import-progress.tsx'
import { ImportReport } from './import-report.tsx'
import { ImportReview } from './review/import-review.tsx'

interface ImportPageProps {
  /** Null: the address contains no valid id. */
  id: number | null
  /** Which items of the report are shown, as in the address. */
  outcome: unknown
  onOutcome: (outcome: ImportOutcomeName | null) => void
}

/** An import: what is in its file, its progress, or its report, depending on its state. */
export function ImportPage({ id, outcome, onOutcome }: ImportPageProps) {
  const query = useQuery({ ...importQuery(id ?? 0), enabled: id !== null })
  const item = query.data
  useRefreshAfterImport(item)
  return (
    <div className="flex flex-col gap-4">
      <Link to="/settings/data" className={buttonClass('quiet', 'sm', '-ml-3 self-start')}>
        <ArrowLeft className="size-4" />
        Data
      </Link>
      <SettingsPanel
        title="Import"
        lead={
          item === undefined ? (
            'Your import.'
          ) : (
            <>
              <span className="wrap-anywhere">{item.format}</span>,{' '}
              {item.source_url === null ? 'uploaded' : 'added'} <RelativeTime time={item.created_at} />
              {item.source_url !== null && (
                <a
                  href={item.source_url}
                  target="_blank"
                  rel="noreferrer"
                  className={`block w-fit wrap-anywhere ${textLinkClass}`}
                >
                  {item.source_url}
                </a>
              )}
            </>
          )
        }
      >
        {item !== undefined ? (
          <ImportContent
            item={item}
            outcome={importOutcomes.find((name) => name === outcome) ?? null}
            onOutcome={onOutcome}
          />
        ) : id === null || (query.isError && isApiError(query.error, 'not-found')) ? (
          <SettingsEmpty>This import doesn't exist, or was deleted.</SettingsEmpty>
        ) : query.isError ? (
          <SettingsLoadFailed subject="this import" onRetry={() => void query.refetch()} />
        ) : (
          <SettingsRowsSkeleton rows={3} label="Loading the import" />
        )}
      </SettingsPanel>
    </div>
  )
}

interface ImportContentProps {
  item: Import
  outcome: ImportOutcomeName | null
  onOutcome: (outcome: ImportOutcomeName | null) => void
}

/** The key of the report contains the state, so that screen readers announce its result when it changes. */
function ImportContent({ item, outcome, onOutcome }: ImportContentProps) {
  if (item.summary !== null) return <ImportReview item={item} summary={item.summary} />
  if (isInProgress(item)) return <ImportProgress item={item} />
  return <ImportReport key={item.state} item={item} outcome={outcome} onOutcome={onOutcome} />
}

/** Reloads cached lists and collections when an import or its undo ends while the page is open. */
function useRefreshAfterImport(item: Import | undefined): void {
  const client = useQueryClient()
  const wasInProgress = useRef(false)
  const isNowInProgress = item !== undefined && isInProgress(item)
  useEffect(() => {
    if (wasInProgress.current && !isNowInProgress) invalidateBookmarks(client)
    wasInProgress.current = isNowInProgress
  }, [isNowInProgress, client])
}
