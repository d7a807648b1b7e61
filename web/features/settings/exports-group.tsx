import { downloadExport, type Export, startExport } from '@reelmark/contract/transfer.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, FileJson } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../api.ts'
import { download } from '../../download.ts'
import { Button } from '../../ui/button.tsx'
import { Badge } from '../../ui/chip.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Progress } from '../../ui/progress.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { byteSize } from './byte-size.ts'
import { dayOf } from './day.ts'
import { saveAs } from './save-as.ts'
import { Group, LoadFailed, NothingYet, Row, Rows, RowsSkeleton } from './section.tsx'
import { exportsQuery, isUnderWay } from './transfer-queries.ts'
import { useAction } from './use-action.ts'

/** Everything in one file. It is made in the background: one can leave and come back. */
export function ExportsGroup() {
  const exports = useQuery(exportsQuery)
  const client = useQueryClient()
  const { busy, problem, run } = useAction()
  const underWay = exports.data?.find(isUnderWay)
  const finished = exports.data?.filter((one) => !isUnderWay(one)) ?? []
  const said = useOutcome(exports.data)

  async function start() {
    const started = await run(() => api(startExport, {}))
    if (started !== null) client.setQueryData(exportsQuery.queryKey, (old = []) => [started.reply, ...old])
    // One that is under way already is shown, too.
    void client.invalidateQueries(exportsQuery)
  }

  return (
    <Group
      title="Export your data"
      lead="Get a JSON file with your collections, bookmarks (including private ones), likes, follows, comments, blocks and mutes, watch history and settings. You can import it into any Reelmark site."
      action={
        <Button tone="accent" busy={busy} disabled={underWay !== undefined} onClick={() => void start()}>
          Create export
        </Button>
      }
    >
      {problem !== null && (
        <Notice tone="danger" urgent>
          <p>{problem}</p>
        </Notice>
      )}
      {underWay !== undefined && (
        <div className="flex flex-col gap-2 rounded-card border border-line bg-raised px-4 py-4">
          <Progress label="Creating your export" done={underWay.done} total={underWay.total} />
          <p className="text-13 text-quiet">
            You can leave this page. Your export will be here when it's ready.
          </p>
        </div>
      )}
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
      {exports.isPending ? (
        <RowsSkeleton rows={1} label="Loading downloads" />
      ) : exports.isError ? (
        <LoadFailed what="your exports" onRetry={() => void exports.refetch()} />
      ) : finished.length > 0 ? (
        <Rows label="Downloads">
          {finished.map((one) => (
            <ExportRow key={one.id} file={one} />
          ))}
        </Rows>
      ) : (
        underWay === undefined && <NothingYet>No exports yet. Exports are available for 7 days.</NothingYet>
      )}
    </Group>
  )
}

/** Said aloud once what was under way is over. */
function useOutcome(exports: readonly Export[] | undefined): string {
  const [said, setSaid] = useState('')
  const waiting = useRef<number | null>(null)
  useEffect(() => {
    const underWay = exports?.find(isUnderWay)
    if (underWay !== undefined) waiting.current = underWay.id
    else if (waiting.current !== null) {
      const state = exports?.find(({ id }) => id === waiting.current)?.state
      waiting.current = null
      setSaid(state === 'done' ? 'Your file is ready.' : 'Export failed.')
    }
  }, [exports])
  return said
}

function ExportRow({ file }: { file: Export }) {
  const { busy, problem, run } = useAction()
  const failed = file.state === 'failed'
  const isOver = !failed && new Date(file.expires_at).getTime() <= Date.now()
  const day = file.created_at.slice(0, 10)
  return (
    <Row
      icon={<FileJson className="size-5" strokeWidth={1.75} />}
      title={
        <>
          Created <RelativeTime time={file.created_at} />
        </>
      }
      badge={failed ? <Badge tone="danger">Failed</Badge> : isOver ? <Badge>Expired</Badge> : null}
      facts={
        <>
          {file.size !== null && <span>{byteSize(file.size)}</span>}
          {!failed && !isOver && <span>Available until {dayOf(file.expires_at)}</span>}
          {failed && <span>Export failed. Create a new one.</span>}
          {problem !== null && (
            <span role="alert" className="basis-full text-danger">
              {problem}
            </span>
          )}
        </>
      }
      action={
        !failed &&
        !isOver && (
          <Button
            size="sm"
            busy={busy}
            aria-label={`Download export from ${dayOf(file.created_at)}`}
            onClick={async () => {
              const params = { id: file.id }
              const got = await run(() => download(downloadExport, { params }, `reelmark-${day}.json`))
              if (got !== null) saveAs(got.reply.content, got.reply.name)
            }}
          >
            {!busy && <Download aria-hidden="true" className="size-4" strokeWidth={1.75} />}
            <span className="max-xs:sr-only">Download</span>
          </Button>
        )
      }
    />
  )
}
