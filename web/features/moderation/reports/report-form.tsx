import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { type Orientation, orientations } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { createReport, type ReportReceipt, type ReportType } from '@reelmark/contract/reports.ts'
import { type FormEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { api } from '../../../shared/api/api.ts'
import { createIdempotencyKey } from '../../../shared/api/idempotency-key.ts'
import { isApiError } from '../../../shared/errors/api-error.ts'
import { serverMessageOr } from '../../../shared/errors/server-message.ts'
import { useDraft } from '../../../shared/forms/use-draft.ts'
import { DialogFormFooter } from '../../../ui/dialog.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/select.tsx'
import { orientationLabels } from '../../listing/orientation-select.tsx'
import { afterReportText, reportGroupsFor, reportLabels } from './report-labels.ts'
import { type ReportTarget, reportBodyFor } from './report-target.ts'

interface ReportFormProps {
  target: ReportTarget
  onCancel: () => void
  /** `before`: it was reported already. */
  onReported: (report: ReportReceipt | 'before') => void
}

interface ReportDraft {
  type: ReportType | null
  /** What is thought right; '': not sure. */
  orientation: Orientation | ''
  notes: string
}

const emptyReport: ReportDraft = { type: null, orientation: '', notes: '' }

/** What is wrong, and notes; what is typed is kept until it is sent. Texts: product.md sections 5 and 8. */
export function ReportForm({ target, onCancel, onReported }: ReportFormProps) {
  const [typed, change, clear] = useDraft(`report-${target.kind}-${target.id}`, emptyReport)
  const [idempotencyKey] = useState(createIdempotencyKey)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [missing, setMissing] = useState<'type' | 'notes' | null>(null)
  const notice = useRef<HTMLDivElement>(null)
  const needsNotes = typed.type === 'other'

  /** Says what is wrong, before the focus goes to where it is. */
  function stop(form: HTMLFormElement, field: 'type' | 'notes' | null, text: string | null) {
    flushSync(() => {
      setBusy(false)
      setMissing(field)
      setProblem(text)
    })
    const first = field === null ? notice.current : form.querySelector<HTMLElement>(`[name="${field}"]`)
    first?.focus()
  }

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    // React bubbles it to the form that the dialog is asked for from.
    event.stopPropagation()
    const form = event.currentTarget
    const { type, orientation } = typed
    const notes = typed.notes.trim()
    if (type === null) return stop(form, 'type', null)
    if (needsNotes && notes === '') return stop(form, 'notes', null)
    const suggested = type === 'wrong_orientation' && orientation !== '' && { orientation }
    const body = { ...reportBodyFor(target), report_type: type, notes, ...suggested }
    setBusy(true)
    setMissing(null)
    setProblem(null)
    try {
      const report = await api(createReport, { body }, { idempotencyKey: idempotencyKey.keyFor(body) })
      clear()
      onReported(report)
    } catch (error) {
      if (isApiError(error, 'already-reported')) {
        clear()
        return onReported('before')
      }
      if (isCallError(error) && error.status >= 400 && error.status < 500) idempotencyKey.reset()
      stop(form, null, serverMessageOr(error, 'Failed to submit report.'))
    }
  }

  return (
    <form
      method="post"
      noValidate
      className="flex flex-col gap-5 pt-1"
      onSubmit={(event) => void submit(event)}
    >
      {problem !== null && (
        <Notice ref={notice} tone="danger" urgent>
          <p>{problem}</p>
        </Notice>
      )}
      <ReasonChoices
        kind={target.kind}
        value={typed.type}
        isMissing={missing === 'type'}
        onChange={(type) => {
          setMissing(null)
          change((before) => ({ ...before, type }))
        }}
      />
      {typed.type === 'wrong_orientation' && (
        <Field label="What should it be?">
          <Select
            name="orientation"
            value={typed.orientation}
            onChange={({ target: { value } }) =>
              change((before) => ({ ...before, orientation: value as Orientation | '' }))
            }
          >
            <option value="">I'm not sure</option>
            {orientations.map((orientation) => (
              <option key={orientation} value={orientation}>
                {orientationLabels[orientation]}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <Field
        label="Notes"
        required={needsNotes}
        hint={needsNotes ? 'Only moderators see this.' : 'Optional. Only moderators see this.'}
        error={missing === 'notes' ? 'Describe the problem.' : null}
      >
        <Textarea
          name="notes"
          rows={3}
          value={typed.notes}
          maxLength={limits.notesMax}
          onChange={({ target: { value } }) => change((before) => ({ ...before, notes: value }))}
        />
      </Field>
      <div className="text-13 text-quiet">
        <p className="font-medium text-ink">What happens next</p>
        <p className="measure mt-0.5">{afterReportText(target.kind)}</p>
      </div>
      <DialogFormFooter submit="Submit Report" busy={busy} busyText="Sending..." onCancel={onCancel} />
    </form>
  )
}

interface ReasonChoicesProps {
  kind: ReportTarget['kind']
  value: ReportType | null
  isMissing: boolean
  onChange: (type: ReportType) => void
}

/** One choice among several groups: the arrow keys go through all of them. */
function ReasonChoices({ kind, value, isMissing, onChange }: ReasonChoicesProps) {
  const id = useId()
  return (
    <fieldset aria-describedby={isMissing ? `${id}-missing` : undefined} className="flex flex-col gap-4">
      <legend className="sr-only">Why are you reporting this?</legend>
      {isMissing && (
        <p id={`${id}-missing`} role="alert" className="text-14 text-danger">
          Please select a reason.
        </p>
      )}
      {reportGroupsFor(kind).map(({ title, types }, group) => (
        <fieldset
          key={title}
          className="grid grid-cols-1 gap-1.5 sm:grid-cols-2 sm:[&>label:last-of-type:nth-of-type(odd)]:col-span-2"
        >
          <legend className="mb-1.5 text-13 font-medium text-quiet">{title}</legend>
          {types.map((type, index) => (
            <label
              key={type}
              className="flex min-h-10 cursor-pointer items-center gap-3 rounded-control border border-line px-3 py-1.5 text-14 text-ink transition-colors hover:border-line-strong has-checked:border-accent-ink has-checked:bg-hover pointer-coarse:min-h-11"
            >
              <input
                type="radio"
                name="type"
                value={type}
                data-autofocus={value === type || (value === null && group + index === 0) ? true : undefined}
                checked={value === type}
                onChange={() => onChange(type)}
                className="size-4.5 shrink-0 cursor-pointer accent-accent"
              />
              {reportLabels[type]}
            </label>
          ))}
        </fieldset>
      ))}
    </fieldset>
  )
}
