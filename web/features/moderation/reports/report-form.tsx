import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { createReport, type ReportReceipt, type ReportType } from '@reelmark/contract/reports.ts'
import { useId, useState } from 'react'
import { isApiError } from '../../../shared/errors/api-error.ts'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { findLengthErrors } from '../../../shared/forms/find-length-error.ts'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { useDraft } from '../../../shared/forms/use-draft.ts'
import { OrientationOptions } from '../../../shared/orientation/orientation-options.tsx'
import { DialogFormFooter } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { afterReportText, reportGroupsFor, reportLabels } from './report-labels.ts'
import { type ReportTarget, reportBodyFor } from './report-target.ts'

interface ReportFormProps {
  target: ReportTarget
  onCancel: () => void
  /** `before` means that the viewer had already reported it. */
  onReported: (report: ReportReceipt | 'before') => void
}

interface ReportDraft {
  type: ReportType | null
  /** The orientation that the viewer suggests; '' for none. */
  orientation: Orientation | ''
  notes: string
}

const emptyReport: ReportDraft = { type: null, orientation: '', notes: '' }

/** A form to report content. The input is stored as a draft until it is sent. */
export function ReportForm({ target, onCancel, onReported }: ReportFormProps) {
  const [initial] = useState<ReportDraft>({ ...emptyReport, type: target.reportType ?? null })
  const [draft, update, clear] = useDraft(`report-${target.kind}-${target.id}`, initial)
  const isOfRightsHolder = draft.type === 'title_and_picture'
  const needsNotes = draft.type === 'other' || isOfRightsHolder
  const form = useApiForm(createReport, {
    fields: ['type', 'notes'],
    validate: ({ notes }) => ({
      ...(draft.type === null && { type: 'Please select a reason.' }),
      ...findLengthErrors({ notes }, { notes: limits.notesMax }),
      ...(needsNotes && notes.trim() === '' && { notes: 'Describe the problem.' }),
    }),
    toInput: ({ notes }) => ({
      body: {
        ...reportBodyFor(target),
        report_type: draft.type ?? 'other',
        notes: notes.trim(),
        ...(draft.type === 'wrong_orientation' &&
          draft.orientation !== '' && { orientation: draft.orientation }),
      },
    }),
    onSuccess(report) {
      clear()
      onReported(report)
    },
    onError(error) {
      const isReported = isApiError(error, 'already-reported')
      if (isReported) {
        clear()
        onReported('before')
      }
      return isReported
    },
    toErrors: (error) => ({ fields: {}, text: errorMessage(error, 'Failed to submit report.') }),
  })

  return (
    <form {...form.props} className="flex flex-col gap-5 pt-1">
      <ErrorNotice ref={form.notice} text={form.errorText} />
      <ReasonChoices
        kind={target.kind}
        value={draft.type}
        isMissing={form.fieldErrors.type !== undefined}
        onChange={(type) => {
          form.reset(['type', 'notes'])
          update((before) => ({ ...before, type }))
        }}
      />
      {draft.type === 'wrong_orientation' && (
        <Field label="What should it be?">
          <Select
            name="orientation"
            value={draft.orientation}
            onChange={({ target: { value } }) =>
              update((before) => ({ ...before, orientation: value as Orientation | '' }))
            }
          >
            <option value="">I'm not sure</option>
            <OrientationOptions />
          </Select>
        </Field>
      )}
      <Field
        label="Notes"
        required={needsNotes}
        hint={
          isOfRightsHolder
            ? 'Say which rights you hold and how we can verify it. Only moderators see this.'
            : needsNotes
              ? 'Only moderators see this.'
              : 'Optional. Only moderators see this.'
        }
        error={form.fieldErrors.notes}
      >
        <Textarea
          name="notes"
          rows={3}
          value={draft.notes}
          onChange={({ target: { value } }) => update((before) => ({ ...before, notes: value }))}
        />
      </Field>
      <div className="text-13 text-quiet">
        <p className="font-medium text-ink">What happens next</p>
        <p className="measure mt-0.5">{afterReportText(target)}</p>
      </div>
      <DialogFormFooter submit="Submit Report" busy={form.busy} busyText="Sending..." onCancel={onCancel} />
    </form>
  )
}

interface ReasonChoicesProps {
  kind: ReportTarget['kind']
  value: ReportType | null
  isMissing: boolean
  onChange: (type: ReportType) => void
}

/** Shows the reasons in groups. The arrow keys move through all of them. */
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
