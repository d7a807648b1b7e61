import * as limits from '@reelmark/contract/protocol/limits.ts'
import { findLengthError } from '../../shared/forms/find-length-error.ts'
import { Field, Textarea } from '../../ui/field.tsx'

interface PrivateNoteFieldProps {
  value: string
  onChange: (note: string) => void
  error?: string | readonly string[] | undefined
}

/** The field for the note that only the owner of the bookmark reads. */
export function PrivateNoteField({ value, onChange, error }: PrivateNoteFieldProps) {
  return (
    <Field
      label="Private note"
      hint="Optional. Only you can read it."
      error={error ?? findLengthError(value, limits.privateNoteMax)}
    >
      <Textarea
        name="private_note"
        rows={3}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}
