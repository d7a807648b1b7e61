import { deleteUpload, type Upload } from '@reelmark/contract/uploads.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { UploadProgress } from '../../../shared/api/upload-progress.ts'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { useFocusAfter } from '../../../shared/hooks/use-focus-after.ts'
import { SettingsGroup, SettingsLoadFailed } from '../../../shared/pages/settings-panel.tsx'
import { Button } from '../../../ui/button.tsx'
import { FileDrop } from '../../../ui/file-drop.tsx'
import { formatBytes } from '../../../ui/format-bytes.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { importsQuery, isInProgress, uploadsQuery } from '../queries.ts'
import { ImportList } from './import-list.tsx'
import { SourceForm } from './source-form.tsx'
import { type UploadFailure, useImportUpload } from './use-import-upload.ts'

/** Uploads a file or reads a web address to import, and lists the latest imports. */
export function ImportPanel() {
  const imports = useQuery(importsQuery)
  const uploads = useQuery(uploadsQuery)
  const { progress, failure, send, replace, cancel } = useImportUpload()
  const [fileField, focusFileField] = useFocusAfter<HTMLInputElement>()
  const isImporting = imports.data?.some(isInProgress) === true
  return (
    <SettingsGroup
      title="Import data"
      lead="Import a Reelmark export, or what you saved elsewhere: the zip file of a YouTube export, the bookmarks of a browser or bookmark manager, a table (CSV), a list of links, or the videos of a web address. You see what was found before anything is imported, and you can undo an import. Nothing you have is changed."
    >
      {failure !== null && <UploadFailureNotice failure={failure} onReplace={replace} />}
      {progress !== null ? (
        <UploadProgressCard {...progress} onCancel={cancel} />
      ) : (
        !isImporting && (
          <>
            {uploads.data != null && <UnfinishedUpload upload={uploads.data} onDiscarded={focusFileField} />}
            <FileDrop
              ref={fileField}
              label="Choose a file"
              text="or drop it here"
              accept=".json,.jsonl,.ndjson,.zip,.html,.htm,.csv,.tsv,.txt,.db"
              busy={false}
              onFile={send}
            />
            <SourceForm />
          </>
        )
      )}
      {imports.isError ? (
        <SettingsLoadFailed subject="your imports" onRetry={() => void imports.refetch()} />
      ) : (
        <ImportList imports={imports.data ?? []} />
      )}
    </SettingsGroup>
  )
}

/** An upload that was interrupted: the browser no longer has its file. */
function UnfinishedUpload({ upload, onDiscarded }: { upload: Upload; onDiscarded: () => void }) {
  const { id, name, size, offset } = upload
  const client = useQueryClient()
  const discard = useApiMutation(deleteUpload, {
    onSuccess() {
      client.setQueryData(uploadsQuery.queryKey, null)
      onDiscarded()
    },
    // It may have continued or ended in another tab.
    onError: () => void client.invalidateQueries(uploadsQuery),
  })
  return (
    <Notice tone="info" title="Unfinished upload">
      <p className="wrap-anywhere">
        {name}: {formatBytes(offset)} of {formatBytes(size)} uploaded. Choose the file again to continue.
      </p>
      <Button
        size="sm"
        className="self-start"
        busy={discard.busy}
        onClick={() => void discard.run({ params: { id } })}
      >
        Discard
      </Button>
    </Notice>
  )
}

interface UploadProgressProps extends UploadProgress {
  onCancel: () => void
}

/** The progress of an upload. Once everything is sent, the server reads the file, for which there is no progress. */
function UploadProgressCard({ name, sent, total, waitsFor, onCancel }: UploadProgressProps) {
  const card = useAutofocus()
  const isSent = sent >= total
  const state =
    waitsFor !== null
      ? `Waiting for ${waitsFor === 'connection' ? 'a connection' : 'the site'}`
      : isSent
        ? 'Reading your file'
        : 'Uploading'
  return (
    <section
      ref={card}
      tabIndex={-1}
      aria-label={`Upload of ${name}`}
      className="flex flex-col gap-3 rounded-card border border-line bg-raised px-4 py-4"
    >
      <Progress
        key={isSent ? 'reading' : 'sending'}
        label={isSent ? 'Reading your file' : `Uploading ${name}`}
        done={isSent ? 0 : sent}
        total={isSent ? 0 : total}
        inPercent
      />
      <p role="status" className="sr-only">
        {state}
      </p>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-13 text-quiet">{waitingTexts[waitsFor ?? 'nothing']}</p>
        <Button size="sm" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </section>
  )
}

const waitingTexts = {
  connection: 'The connection was lost. The upload continues as soon as it’s back.',
  site: 'The site is busy. The upload continues by itself as soon as possible.',
  nothing: 'Keep this tab open. You can visit other pages of this site.',
}

/** The number of errors shown. The rest is only counted, because most errors of a file repeat the first ones. */
const shownDetailsMax = 6

interface UploadFailureProps {
  failure: UploadFailure
  onReplace: (file: File) => void
}

function UploadFailureNotice({ failure, onReplace }: UploadFailureProps) {
  const { blocked } = failure
  const notice = useAutofocus()
  const more = failure.details.length - shownDetailsMax
  return (
    <Notice ref={notice} tone="danger" urgent>
      <p>{failure.text}</p>
      {failure.details.length > 0 && (
        <ul className="list-disc pl-4">
          {failure.details.slice(0, shownDetailsMax).map((text) => (
            <li key={text}>{text}</li>
          ))}
          {more > 0 && <li>and {more} more</li>}
        </ul>
      )}
      {blocked !== undefined && (
        <Button size="sm" className="self-start" onClick={() => onReplace(blocked)}>
          Discard it and upload this file
        </Button>
      )}
    </Notice>
  )
}
