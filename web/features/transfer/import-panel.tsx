import { type Import, startImport, uploadImport } from '@reelmark/contract/imports.ts'
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api/api.ts'
import { uploadFile } from '../../shared/api/upload-file.ts'
import { useApiMutation } from '../../shared/api/use-api-mutation.ts'
import { errorMessage } from '../../shared/errors/error-message.ts'
import { useAutofocus } from '../../shared/hooks/use-autofocus.ts'
import { SettingsGroup, SettingsLoadFailed } from '../../shared/pages/settings-panel.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Progress } from '../../ui/progress.tsx'
import { importFieldErrors, readTransferFile } from './import-file.ts'
import { ImportFileReview } from './import-file-review.tsx'
import { ImportResult } from './import-result.tsx'
import { OtherFileReview } from './other-file-review.tsx'
import { importsQuery, isInProgress } from './queries.ts'

interface ImportRefusal {
  text: string
  details: readonly string[]
}

/** Imports a file: lets the user choose one, shows its contents, sends it and shows the progress. */
export function ImportPanel() {
  const imports = useQuery(importsQuery)
  const client = useQueryClient()
  const [chosen, setChosen] = useState<{ name: string; file: TransferFile | File } | null>(null)
  const [isReading, setReading] = useState(false)
  const [refusal, setRefusal] = useState<ImportRefusal | null>(null)
  const newest = imports.data?.[0]
  const inProgress = newest !== undefined && isInProgress(newest) ? newest : null

  async function choose(file: File) {
    setRefusal(null)
    setReading(true)
    const { file: content, problem } = await readTransferFile(file)
    setReading(false)
    if (content === null) setRefusal({ text: problem, details: [] })
    setChosen(content === null ? null : { name: file.name, file: content })
  }

  const sending = useApiMutation(sendFile, {
    onSuccess(created) {
      client.setQueryData(importsQuery.queryKey, (imports = []) => [created, ...imports])
      setChosen(null)
    },
    onError(error) {
      const details = importFieldErrors(error)
      const text = details.length > 0 ? "Some items in this file couldn't be read:" : errorMessage(error)
      setRefusal({ text, details })
    },
  })

  async function send(file: TransferFile | File) {
    setRefusal(null)
    await sending.run(file)
    void client.invalidateQueries(importsQuery)
  }

  return (
    <SettingsGroup
      title="Import data"
      lead="Import a Reelmark export, or what you saved elsewhere: the zip file of a YouTube export, the bookmarks of a browser or bookmark manager, a table (CSV) or a list of links. Duplicates are skipped and nothing you have is changed. Comments aren't imported."
    >
      {refusal !== null && <ImportRefusedNotice refusal={refusal} />}
      {inProgress !== null ? (
        <div className="flex flex-col gap-2 rounded-card border border-line bg-raised px-4 py-4">
          <Progress label="Importing" done={inProgress.done} total={inProgress.total} />
          <p className="text-13 text-quiet">You can leave this page. The import will continue.</p>
        </div>
      ) : chosen !== null ? (
        <ChosenFileReview
          {...chosen}
          busy={sending.busy}
          onConfirm={() => void send(chosen.file)}
          onCancel={() => {
            setChosen(null)
            setRefusal(null)
          }}
        />
      ) : (
        <FileDrop
          label="Choose a file"
          text="or drop it here"
          accept=".json,.zip,.html,.htm,.csv,.txt,.db"
          busy={isReading}
          onFile={(file) => void choose(file)}
        />
      )}
      {imports.isError && (
        <SettingsLoadFailed subject="earlier imports" onRetry={() => void imports.refetch()} />
      )}
      {newest !== undefined && inProgress === null && chosen === null && <ImportOutcome result={newest} />}
    </SettingsGroup>
  )
}

async function sendFile(file: TransferFile | File): Promise<Import> {
  const { id } = await (file instanceof File
    ? uploadFile(uploadImport, file)
    : api(uploadImport, { body: file }))
  return api(startImport, { params: { id }, body: {} })
}

interface ChosenFileReviewProps {
  name: string
  file: TransferFile | File
  busy: boolean
  onConfirm: () => void
  onCancel: () => void
}

function ChosenFileReview({ name, file, ...rest }: ChosenFileReviewProps) {
  return file instanceof File ? (
    <OtherFileReview file={file} {...rest} />
  ) : (
    <ImportFileReview name={name} file={file} {...rest} />
  )
}

/** The key contains the state, so that screen readers announce each change. */
function ImportOutcome({ result }: { result: Import }) {
  return <ImportResult key={`${result.id}:${result.state}`} result={result} />
}

/** The number of errors shown. The rest is only counted, because most errors of a file repeat the first ones. */
const shownDetailsMax = 6

function ImportRefusedNotice({ refusal }: { refusal: ImportRefusal }) {
  const notice = useAutofocus()
  const more = refusal.details.length - shownDetailsMax
  return (
    <Notice ref={notice} tone="danger" urgent>
      <p>{refusal.text}</p>
      {refusal.details.length > 0 && (
        <ul className="list-disc pl-4">
          {refusal.details.slice(0, shownDetailsMax).map((text) => (
            <li key={text}>{text}</li>
          ))}
          {more > 0 && <li>and {more} more</li>}
        </ul>
      )}
    </Notice>
  )
}
