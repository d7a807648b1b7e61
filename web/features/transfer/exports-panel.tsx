import { downloadExport, type Export, exportFormats, startExport } from '@reelmark/contract/transfer.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import Download from 'lucide-react/icons/download'
import FileText from 'lucide-react/icons/file-text'
import { useEffect, useRef, useState } from 'react'
import { downloadFile } from '../../shared/api/download.ts'
import { saveFile } from '../../shared/api/save-file.ts'
import { useApiMutation } from '../../shared/api/use-api-mutation.ts'
import {
  SettingsEmpty,
  SettingsGroup,
  SettingsLoadFailed,
  SettingsRow,
  SettingsRows,
  SettingsRowsSkeleton,
} from '../../shared/pages/settings-panel.tsx'
import { Button } from '../../ui/button.tsx'
import { Badge } from '../../ui/chip.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { formatBytes } from '../../ui/format-bytes.ts'
import { formatDate } from '../../ui/format-date.ts'
import { pluralise } from '../../ui/pluralise.ts'
import { Progress } from '../../ui/progress.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Select } from '../../ui/select.tsx'
import { PicturesCheckbox } from './pictures-checkbox.tsx'
import { exportsQuery, isInProgress } from './queries.ts'

const formatLabels: Record<Export['format'], string> = {
  json: 'Everything (JSON)',
  html: 'Bookmarks (HTML)',
  csv: 'Bookmarks (CSV)',
}

/** Exports all data of an account as one file, which is created in the background. */
export function ExportsPanel() {
  const exports = useQuery(exportsQuery)
  const client = useQueryClient()
  const creation = useApiMutation(startExport, {
    onSuccess: (created) =>
      client.setQueryData(exportsQuery.queryKey, (exports = []) => [created, ...exports]),
  })
  const [format, setFormat] = useState<Export['format']>('json')
  const [pictures, setPictures] = useState(false)
  const inProgress = exports.data?.find(isInProgress)
  const finished = exports.data?.filter((item) => !isInProgress(item)) ?? []
  const outcome = useExportOutcome(exports.data)

  async function start() {
    await creation.run({ query: { format, pictures } })
    // Also shows an export that was already in progress.
    void client.invalidateQueries(exportsQuery)
  }

  return (
    <SettingsGroup
      title="Export your data"
      lead="Get a JSON file with everything about you: your library (including private bookmarks and the trash), what you did and wrote, your account, sign-in methods and sessions, notifications, reports and moderators’ decisions. You can import the library into any Reelmark site. HTML and CSV files contain your bookmarks, for other programs; export one collection from its menu."
      action={
        <div className="flex flex-wrap gap-2">
          <Select
            aria-label="Format"
            value={format}
            onChange={(event) => setFormat(event.target.value as Export['format'])}
          >
            {exportFormats.map((name) => (
              <option key={name} value={name}>
                {formatLabels[name]}
              </option>
            ))}
          </Select>
          <Button
            tone="accent"
            className="h-11"
            busy={creation.busy}
            disabled={inProgress !== undefined}
            onClick={() => void start()}
          >
            Create export
          </Button>
        </div>
      }
    >
      <PicturesCheckbox checked={pictures} onChange={setPictures} />
      <ErrorNotice text={creation.errorText} />
      {inProgress !== undefined && (
        <div className="flex flex-col gap-2 rounded-card border border-line bg-raised px-4 py-4">
          <Progress label="Creating your export" done={inProgress.done} total={inProgress.total} />
          <p className="text-13 text-quiet">
            You can leave this page. Your export will be here when it's ready.
          </p>
        </div>
      )}
      <p aria-live="polite" className="sr-only">
        {outcome}
      </p>
      {exports.isPending ? (
        <SettingsRowsSkeleton rows={1} label="Loading downloads" />
      ) : exports.isError ? (
        <SettingsLoadFailed subject="your exports" onRetry={() => void exports.refetch()} />
      ) : finished.length > 0 ? (
        <SettingsRows label="Downloads">
          {finished.map((item) => (
            <ExportRow key={item.id} file={item} />
          ))}
        </SettingsRows>
      ) : (
        inProgress === undefined && (
          <SettingsEmpty>No exports yet. Exports are available for 7 days.</SettingsEmpty>
        )
      )}
    </SettingsGroup>
  )
}

/** Returns the text to announce once an export that was in progress is finished. */
function useExportOutcome(exports: readonly Export[] | undefined): string {
  const [outcome, setOutcome] = useState('')
  const pendingId = useRef<number | null>(null)
  useEffect(() => {
    const inProgress = exports?.find(isInProgress)
    if (inProgress !== undefined) pendingId.current = inProgress.id
    else if (pendingId.current !== null) {
      const state = exports?.find(({ id }) => id === pendingId.current)?.state
      pendingId.current = null
      setOutcome(state === 'done' ? 'Your file is ready.' : 'Export failed.')
    }
  }, [exports])
  return outcome
}

function ExportRow({ file }: { file: Export }) {
  const day = file.created_at.slice(0, 10)
  const { busy, errorText, run } = useApiMutation(
    () =>
      downloadFile(
        downloadExport,
        { params: { id: file.id } },
        `reelmark-${day}.${file.pictures_count === null ? file.format : 'zip'}`,
      ),
    { onSuccess: ({ content, name }) => saveFile(content, name) },
  )
  const failed = file.state === 'failed'
  const isExpired = !failed && new Date(file.expires_at).getTime() <= Date.now()
  return (
    <SettingsRow
      icon={<FileText className="size-5" />}
      title={
        <>
          Created <RelativeTime time={file.created_at} />
        </>
      }
      badge={failed ? <Badge tone="danger">Failed</Badge> : isExpired ? <Badge>Expired</Badge> : null}
      facts={
        <>
          <span className="wrap-anywhere">
            {file.source_name === null
              ? formatLabels[file.format]
              : `${file.source_name} (${file.format.toUpperCase()})`}
          </span>
          {file.size !== null && <span>{formatBytes(file.size)}</span>}
          {file.pictures_count !== null && file.state === 'done' && (
            <span>{pluralise(file.pictures_count, 'picture')}, as zip file</span>
          )}
          {!failed && !isExpired && <span>Available until {formatDate(file.expires_at)}</span>}
          {failed && <span>Export failed. Create a new one.</span>}
          {errorText !== null && (
            <span role="alert" className="basis-full text-danger">
              {errorText}
            </span>
          )}
        </>
      }
      action={
        !failed &&
        !isExpired && (
          <Button
            size="sm"
            busy={busy}
            aria-label={`Download export from ${formatDate(file.created_at)}`}
            onClick={() => void run()}
          >
            {!busy && <Download className="size-4" />}
            <span className="max-xs:sr-only">Download</span>
          </Button>
        )
      }
    />
  )
}
