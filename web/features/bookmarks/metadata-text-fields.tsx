import {
  type MetadataText,
  type MetadataTexts,
  metadataTextMax,
  metadataTextNames,
} from '@reelmark/contract/video-facts.ts'
import type { ChangeEvent } from 'react'
import { findLengthError } from '../../shared/forms/find-length-error.ts'
import { MentionTextarea } from '../../shared/mentions/mention-textarea.tsx'
import { Field, Input } from '../../ui/field.tsx'

/** How the forms show each of the optional texts of a bookmark. */
const inputs: Record<MetadataText, { label: string; isMultiline: boolean }> = {
  description: { label: 'Description', isMultiline: true },
}

interface MetadataTextFieldsProps {
  errors: Partial<Record<MetadataText, string | readonly string[] | undefined>>
  values: MetadataTexts
  onChange: (changes: Partial<MetadataTexts>) => void
}

/** The fields for the optional texts that an owner enters about a video, when saving and when editing. */
export function MetadataTextFields({ errors, values, onChange }: MetadataTextFieldsProps) {
  return metadataTextNames.map((name) => {
    const { label, isMultiline } = inputs[name]
    const TextInput = isMultiline ? MentionTextarea : Input
    return (
      <Field
        key={name}
        label={label}
        hint="Optional."
        error={errors[name] ?? findLengthError(values[name], metadataTextMax[name])}
      >
        <TextInput
          name={name}
          value={values[name]}
          onChange={(event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
            onChange({ [name]: event.target.value })
          }
        />
      </Field>
    )
  })
}
