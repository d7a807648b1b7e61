import {
  type MetadataText,
  type MetadataTexts,
  metadataTextMax,
  metadataTextNames,
} from '@reelmark/contract/video-facts.ts'
import type { ChangeEvent } from 'react'
import { Field, Input, Textarea } from '../../ui/field.tsx'

/** How the forms show each of the optional texts of a bookmark. */
const inputs: Record<MetadataText, { label: string; isMultiline: boolean }> = {
  description: { label: 'Description', isMultiline: true },
}

interface MetadataTextFieldsProps {
  errors: Partial<Record<MetadataText, string | readonly string[] | undefined>>
  values: MetadataTexts
  /** Makes the fields controlled; without it, `values` are the initial ones. */
  onChange?: (changes: Partial<MetadataTexts>) => void
}

/** The fields for the optional texts that an owner enters about a video, when saving and when editing. */
export function MetadataTextFields({ errors, values, onChange }: MetadataTextFieldsProps) {
  return metadataTextNames.map((name) => {
    const { label, isMultiline } = inputs[name]
    const TextInput = isMultiline ? Textarea : Input
    const value = onChange && {
      value: values[name],
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        onChange({ [name]: event.target.value }),
    }
    return (
      <Field key={name} label={label} hint="Optional." error={errors[name]}>
        <TextInput
          name={name}
          maxLength={metadataTextMax[name]}
          {...(value ?? { defaultValue: values[name] })}
        />
      </Field>
    )
  })
}
