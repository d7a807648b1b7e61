import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { ReportType } from '@reelmark/contract/reports.ts'
import { chipClass } from '../../../ui/chip.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { reportTypeLabels, statementTemplates } from '../moderation-labels.ts'

const templates: readonly string[] = Object.values(statementTemplates)

/** Other ready words are exchanged; what somebody wrote stays, and they come after it. */
function withTemplate(written: string, template: string): string {
  const before = written.trim()
  if (before === '' || templates.includes(before)) return template
  return before.includes(template) ? written : `${before} ${template}`.slice(0, limits.notesMax)
}

/** What whoever it concerns is told beside the reason; sentences to start from, one for each type. */
export function StatementField({
  types,
  value,
  onChange,
}: {
  types: readonly ReportType[]
  value: string
  onChange: (value: string) => void
}) {
  return (
    <div className="flex flex-col gap-2">
      <Field label="Message to the user" hint="Sent with the reason for this decision.">
        <Textarea
          rows={2}
          value={value}
          maxLength={limits.notesMax}
          onChange={(event) => onChange(event.target.value)}
          className="min-h-16! text-14!"
        />
      </Field>
      <p className="flex flex-wrap items-center gap-1.5 text-13 text-quiet">
        Insert template:{' '}
        {types.map((type) => (
          <button
            key={type}
            type="button"
            className={chipClass}
            onClick={() => onChange(withTemplate(value, statementTemplates[type]))}
          >
            <span className="sr-only">Use the words for </span>
            {reportTypeLabels[type]}
          </button>
        ))}
      </p>
    </div>
  )
}
