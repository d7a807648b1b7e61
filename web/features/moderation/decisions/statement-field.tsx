import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { ReportType } from '@reelmark/contract/reports.ts'
import { findLengthError } from '../../../shared/forms/find-length-error.ts'
import { chipClass } from '../../../ui/chip.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { reportTypeLabels, statementTemplates } from '../moderation-labels.ts'

const templates: readonly string[] = Object.values(statementTemplates)

/**
 * Returns the statement with a template. Another template is replaced; text that the moderator wrote stays before it.
 */
function withTemplate(statement: string, template: string): string {
  const trimmed = statement.trim()
  if (trimmed === '' || templates.includes(trimmed)) return template
  return trimmed.includes(template) ? statement : `${trimmed} ${template}`
}

/** The message to the affected user, with a template for each report type. */
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
      <Field
        label="Message to the user"
        hint="Sent with the reason for this decision."
        error={findLengthError(value, limits.notesMax)}
      >
        <Textarea
          rows={2}
          value={value}
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
            <span className="sr-only">Insert the template for </span>
            {reportTypeLabels[type]}
          </button>
        ))}
      </p>
    </div>
  )
}
