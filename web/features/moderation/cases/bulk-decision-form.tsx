import type { Case } from '@reelmark/contract/cases.ts'
import { decideReports } from '@reelmark/contract/decisions.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { useDraft } from '../../../shared/forms/use-draft.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { toast } from '../../../ui/toast.tsx'
import { StatementField } from '../decisions/statement-field.tsx'
import { minorsApprovalText } from '../moderation-labels.ts'
import { moderatorApi } from '../moderator-api.ts'
import { invalidateModeration } from '../queries.ts'
import { caseTitle } from './case-row.tsx'
import { caseKeyText } from './case-search.ts'

type SelectedCases = ReadonlyMap<string, Case>
type BulkDecision = 'approve' | 'reject'

interface BulkDecisionProps {
  selected: SelectedCases
  onChange: (selected: SelectedCases) => void
}

/** Decides the selected cases. Cases that failed are listed and stay selected. */
export function BulkDecisionBar({ selected, onChange }: BulkDecisionProps) {
  const client = useQueryClient()
  const [dialog, setDialog] = useState<BulkDecision | null>(null)
  const [failed, setFailed] = useState<readonly { title: string; detail: string }[]>([])

  async function decide(decision: BulkDecision, statement: string): Promise<void> {
    const casesByReportId = new Map([...selected.values()].map((item) => [item.first_report_id, item]))
    const body = { report_ids: [...casesByReportId.keys()], decision, all: true, statement }
    const result = await moderatorApi(decideReports, { body })
    const failedCases = result.failed.flatMap(({ report_id, detail }) => {
      const item = casesByReportId.get(report_id)
      return item === undefined ? [] : [{ item, detail }]
    })
    setDialog(null)
    onChange(new Map(failedCases.map(({ item }) => [caseKeyText(item), item])))
    setFailed(failedCases.map(({ item, detail }) => ({ title: caseTitle(item), detail })))
    if (failedCases.length === 0) {
      toast(`${pluralise(casesByReportId.size, 'case')} resolved.`, { tone: 'success' })
    }
    void invalidateModeration(client)
  }

  return (
    <>
      {selected.size > 0 && (
        <div className="ml-auto flex flex-wrap items-center gap-1">
          <p role="status" className="mr-1 text-14 font-medium text-ink tabular-nums">
            {selected.size} selected
          </p>
          <Button size="sm" aria-haspopup="dialog" onClick={() => setDialog('approve')}>
            Take action…
          </Button>
          <Button size="sm" aria-haspopup="dialog" onClick={() => setDialog('reject')}>
            No action…
          </Button>
          <Button tone="quiet" size="sm" onClick={() => onChange(new Map())}>
            Deselect all
          </Button>
        </div>
      )}
      <Dialog
        open={dialog !== null}
        onClose={() => setDialog(null)}
        title={`${dialog === 'reject' ? 'No action' : 'Take action'} on ${pluralise(selected.size, 'case')}`}
        canDiscard
      >
        {dialog !== null && (
          <BulkDecisionForm
            choice={dialog}
            selected={selected}
            onDecide={decide}
            onClose={() => setDialog(null)}
          />
        )}
      </Dialog>
      <Dialog
        open={failed.length > 0}
        onClose={() => setFailed([])}
        title={`Couldn't resolve ${pluralise(failed.length, 'case')}`}
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

const emptyStatement = { statement: '' }

function BulkDecisionForm({
  choice,
  selected,
  onDecide,
  onClose,
}: {
  choice: BulkDecision
  selected: SelectedCases
  onDecide: (choice: BulkDecision, statement: string) => Promise<void>
  onClose: () => void
}) {
  const [{ statement }, update, , discard] = useDraft('bulk-decision-statement', emptyStatement)
  const items = [...selected.values()]
  const minors = items.filter(({ types }) => types.includes('minors')).length
  const users = items.filter(({ target_kind }) => target_kind === 'user').length
  const held = items.filter(({ is_held }) => is_held).length
  const types = [...new Set(items.flatMap((item) => item.types))]

  const { busy, errorText, run } = useApiMutation(() => onDecide(choice, statement), { onSuccess: discard })

  return (
    <div className="flex flex-col gap-5 pt-1 text-14">
      <ErrorNotice text={errorText} />
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
          title={`${pluralise(minors, 'case')} ${minors === 1 ? 'involves' : 'involve'} minors`}
        >
          <p>{minorsApprovalText}</p>
        </Notice>
      )}
      <StatementField
        types={types}
        value={statement}
        onChange={(statement) => update(() => ({ statement }))}
      />
      <DialogFooter>
        <Button data-autofocus disabled={busy} onClick={onClose}>
          Cancel
        </Button>
        <Button tone={choice === 'approve' ? 'danger' : 'accent'} busy={busy} onClick={() => void run()}>
          {choice === 'approve' ? 'Take action' : 'No action'} on {pluralise(items.length, 'case')}
        </Button>
      </DialogFooter>
    </div>
  )
}
