import { type Import, startImport, type TransferFile } from '@reelmark/contract/transfer.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { FileDrop } from '../../ui/file-drop.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Progress } from '../../ui/progress.tsx'
import { useFocusOnce } from '../accounts/use-focus-once.ts'
import { FileReview } from './file-review.tsx'
import { fieldProblems, readTransferFile } from './import-file.ts'
import { ImportResult } from './import-result.tsx'
import { problemText } from './problem-text.ts'
import { Group, LoadFailed } from './section.tsx'
import { importsQuery, isUnderWay } from './transfer-queries.ts'

interface Refusal {
  text: string
  details: readonly string[]
}

/** Bringing a file in: chosen, looked at, sent, and then watched, for as long as one likes. */
export function ImportGroup() {
  const imports = useQuery(importsQuery)
  const client = useQueryClient()
  const [chosen, setChosen] = useState<{ name: string; file: TransferFile } | null>(null)
  const [busy, setBusy] = useState<'reading' | 'sending' | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const newest = imports.data?.[0]
  const underWay = newest !== undefined && isUnderWay(newest) ? newest : null

  async function choose(picked: File) {
    setRefusal(null)
    setBusy('reading')
    const { file, problem } = await readTransferFile(picked)
    setBusy(null)
    if (file === null) setRefusal({ text: problem, details: [] })
    setChosen(file === null ? null : { name: picked.name, file })
  }

  async function send(file: TransferFile) {
    setBusy('sending')
    setRefusal(null)
    try {
      const started = await api(startImport, { body: file })
      client.setQueryData(importsQuery.queryKey, (old = []) => [started, ...old])
      setChosen(null)
    } catch (error) {
      const details = fieldProblems(error)
      const text = details.length > 0 ? "Some items in this file couldn't be read:" : problemText(error)
      setRefusal({ text, details })
    }
    setBusy(null)
    void client.invalidateQueries(importsQuery)
  }

  return (
    <Group
      title="Import data"
      lead="Import a Reelmark export. Duplicates are skipped and nothing you have is changed. Comments aren't imported."
    >
      {refusal !== null && <Refused refusal={refusal} />}
      {underWay !== null ? (
        <div className="flex flex-col gap-2 rounded-card border border-line bg-raised px-4 py-4">
          <Progress label="Importing" done={underWay.done} total={underWay.total} />
          <p className="text-13 text-quiet">You can leave this page. The import will continue.</p>
        </div>
      ) : chosen !== null ? (
        <FileReview
          name={chosen.name}
          file={chosen.file}
          busy={busy === 'sending'}
          onConfirm={() => void send(chosen.file)}
          onCancel={() => {
            setChosen(null)
            setRefusal(null)
          }}
        />
      ) : (
        <FileDrop
          label="Choose a file"
          text="or drop the .json file here"
          accept=".json,application/json"
          busy={busy === 'reading'}
          onFile={(file) => void choose(file)}
        />
      )}
      {imports.isError && <LoadFailed what="earlier imports" onRetry={() => void imports.refetch()} />}
      {newest !== undefined && underWay === null && chosen === null && <Outcome result={newest} />}
    </Group>
  )
}

/** Keyed by what it tells, so that each new one is said aloud. */
function Outcome({ result }: { result: Import }) {
  return <ImportResult key={`${result.id}:${result.state}`} result={result} />
}

/** Most of a file's problems are the same one again and again. */
const shownDetails = 6

function Refused({ refusal }: { refusal: Refusal }) {
  const notice = useFocusOnce()
  const more = refusal.details.length - shownDetails
  return (
    <Notice ref={notice} tone="danger" urgent>
      <p>{refusal.text}</p>
      {refusal.details.length > 0 && (
        <ul className="list-disc pl-4">
          {refusal.details.slice(0, shownDetails).map((text) => (
            <li key={text}>{text}</li>
          ))}
          {more > 0 && <li>and {more} more</li>}
        </ul>
      )}
    </Notice>
  )
}
