import { type Case, decideMany } from '@reelmark/contract/moderation.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useDraft } from '../../draft.ts'
import { Button } from '../../ui/button.tsx'
import { counted } from '../../ui/counted.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { titleOf } from './case-row.tsx'
import { moderatorCall } from './moderator-call.ts'
import { moderationChanged } from './queries.ts'
import { caseName } from './queue-search.ts'
import { Statement } from './statement.tsx'
import { approvingMinors, moderationProblem } from './words.ts'

type Picked = ReadonlyMap<string, Case>
type Choice = 'approve' | 'reject'

interface BulkActionsProps {
  picked: Picked
  onChange: (picked: Picked) => void
}

/** What can be done with the cases that are picked; what failed is named, and stays picked. */
export function BulkActions({ picked, onChange }: BulkActionsProps) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<Choice | null>(null)
  const [failed, setFailed] = useState<readonly { title: string; detail: string }[]>([])

  async function decide(decision: Choice, statement: string): Promise<void> {
    const of = new Map([...picked.values()].map((item) => [item.first_report_id, item]))
    const body = { report_ids: [...of.keys()], decision, all: true, statement }
    const done = await moderatorCall(decideMany, { body })
    const left = done.failed.flatMap(({ report_id, detail }) => {
      const item = of.get(report_id)
      return item === undefined ? [] : [{ item, detail }]
    })
    setAsked(null)
    onChange(new Map(left.map(({ item }) => [caseName(item), item])))
    setFailed(left.map(({ item, detail }) => ({ title: titleOf(item), detail })))
    if (left.length === 0) {
      toast(`${counted(of.size, 'case')} resolved.`, { tone: 'success' })
    }
    void moderationChanged(client)
  }

  return (
    <>
      {picked.size > 0 && (
        <div className="ml-auto flex flex-wrap items-center gap-1">
          <p role="status" className="mr-1 text-14 font-medium text-ink tabular-nums">
            {picked.size} selected
          </p>
          <Button size="sm" aria-haspopup="dialog" onClick={() => setAsked('approve')}>
            Take action…
          </Button>
          <Button size="sm" aria-haspopup="dialog" onClick={() => setAsked('reject')}>
            No action…
          </Button>
          <Button tone="quiet" size="sm" onClick={() => onChange(new Map())}>
            Deselect all
          </Button>
        </div>
      )}
      <Dialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={`${asked === 'reject' ? 'No action' : 'Take action'} on ${counted(picked.size, 'case')}`}
      >
        {asked !== null && (
          <BulkForm choice={asked} picked={picked} onDecide={decide} onClose={() => setAsked(null)} />
        )}
      </Dialog>
      <Dialog
        open={failed.length > 0}
        onClose={() => setFailed([])}
        title={`Couldn't resolve ${counted(failed.length, 'case')}`}
        description="They're still selected. The rest are resolved."
      >
        <ul className="divide-y divide-line text-14">
          {failed.map(({ title, detail }) => (
            <li key={title} className="py-2">
              <p className="line-clamp-2 font-medium wrap-anywhere text-ink">{title}</p>
              <p className="text-quiet">{detail}</p>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  )
}

const blank = { statement: '' }

function BulkForm({
  choice,
  picked,
  onDecide,
  onClose,
}: {
  choice: Choice
  picked: Picked
  onDecide: (choice: Choice, statement: string) => Promise<void>
  onClose: () => void
}) {
  const [{ statement }, change, , forget] = useDraft('statement-of-many', blank)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const items = [...picked.values()]
  const minors = items.filter(({ types }) => types.includes('minors')).length
  const users = items.filter(({ target_kind }) => target_kind === 'user').length
  const held = items.filter(({ is_held }) => is_held).length
  const types = [...new Set(items.flatMap((item) => item.types))]

  async function decide(): Promise<void> {
    setBusy(true)
    setProblem(null)
    try {
      await onDecide(choice, statement)
      forget()
    } catch (error) {
      setProblem(moderationProblem(error))
      setBusy(false)
    }
  }

  return (
    <div className="flex flex-col gap-5 pt-1 text-14">
      {problem !== null && (
        <Notice tone="danger" urgent>
          <p>{problem}</p>
        </Notice>
      )}
      {choice === 'reject' ? (
        <p>Rejects all open reports and makes the content visible again.</p>
      ) : (
        <p>
          Removes reported videos and comments{users > 0 && ' and warns reported users'}.{' '}
          {held > 0 && ' Held bookmarks are removed on their own.'} Orientation reports are skipped. Review
          those one by one.
        </p>
      )}
      {choice === 'approve' && minors > 0 && (
        <Notice
          tone="danger"
          title={`${counted(minors, 'case')} ${minors === 1 ? 'involves' : 'involve'} minors`}
        >
          <p>{approvingMinors}</p>
        </Notice>
      )}
      <Statement types={types} value={statement} onChange={(statement) => change(() => ({ statement }))} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button data-autofocus disabled={busy} onClick={onClose}>
          Cancel
        </Button>
        <Button tone={choice === 'approve' ? 'danger' : 'accent'} busy={busy} onClick={() => void decide()}>
          {choice === 'approve' ? 'Take action' : 'No action'} on {counted(items.length, 'case')}
        </Button>
      </div>
    </div>
  )
}
