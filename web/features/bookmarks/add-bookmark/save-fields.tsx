import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { ReactNode } from 'react'
import { OrientationOptions } from '../../../shared/orientation/orientation-options.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { AccessField } from '../access-field.tsx'
import { MetadataTextFields } from '../metadata-text-fields.tsx'
import { PrivateNoteField } from '../private-note-field.tsx'
import { TagsInput } from '../tags/tags-input.tsx'
import { type EditedValues, type FieldErrors, fieldLabels, type SaveValues } from './save-values.ts'

export interface SaveFieldsProps {
  values: SaveValues
  onChange: (changes: EditedValues) => void
  problems: FieldErrors
}

/** Explains a rule of the server: links to known adult sites cannot be saved as SFW. */
export const orientationHint =
  'Choose SFW only for videos that are safe for work. Videos from adult sites never are.'

/** A text input connected to its field of the form. */
function TextField({
  name,
  hint,
  required = true,
  values,
  onChange,
  problems,
  ...input
}: SaveFieldsProps & {
  name: 'source_url' | 'thumbnail_url' | 'embed_url' | 'title'
  hint?: ReactNode
  required?: boolean
  type?: 'url' | 'text'
  placeholder?: string | undefined
}) {
  return (
    <Field label={fieldLabels[name]} hint={hint} error={problems[name]}>
      <Input
        {...input}
        aria-required={required}
        name={name}
        value={values[name]}
        autoComplete="off"
        onChange={(event) => onChange({ [name]: event.target.value })}
        {...(input.type === 'url' && { spellCheck: false, autoCapitalize: 'none', maxLength: limits.urlMax })}
      />
    </Field>
  )
}

/** The field for the video's link. On phones the preview is shown below it. */
export function SourceField(props: SaveFieldsProps) {
  return (
    <TextField
      {...props}
      name="source_url"
      type="url"
      placeholder="https://"
      hint="Link to the page with the video."
    />
  )
}

/** The field for the title. */
export function TitleField(props: SaveFieldsProps & { placeholder?: string | undefined }) {
  return <TextField {...props} name="title" />
}

/** The fields for thumbnail, player and orientation. `children` are between them. */
export function VideoFields({
  required,
  children,
  ...props
}: SaveFieldsProps & { required: boolean; children?: ReactNode }) {
  const { values, onChange, problems } = props
  return (
    <>
      <TextField
        {...props}
        name="thumbnail_url"
        type="url"
        required={required}
        placeholder="https://"
        hint={required ? undefined : 'Optional.'}
      />
      <TextField
        {...props}
        name="embed_url"
        type="url"
        required={required}
        placeholder="https://"
        hint={`${required ? '' : 'Optional. '}The src address from the site's embed code (Share → Embed).`}
      />
      {children}
      <Field label={fieldLabels.orientation} hint={orientationHint} error={problems.orientation}>
        <Select
          aria-required
          name="orientation"
          value={values.orientation}
          onChange={(event) => onChange({ orientation: event.target.value as Orientation })}
        >
          <OrientationOptions />
        </Select>
      </Field>
    </>
  )
}

/** The field for tags, with suggested tags below that it does not contain. */
export function TagsField({
  suggestions,
  required,
  values,
  onChange,
  problems,
}: SaveFieldsProps & { suggestions?: ReactNode; required: boolean }) {
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={fieldLabels.tags}
        hint={`${required ? '' : 'Optional. '}Separate tags with commas, for example: short film, animation`}
        error={problems.tags}
      >
        <TagsInput required={required} value={values.tags} onChange={(tags) => onChange({ tags })} />
      </Field>
      {suggestions}
    </div>
  )
}

/**
 * The fields for description, other texts and access.
 * @param hidden whether the collection is private, which overrides the access.
 */
export function BookmarkFields({
  hidden,
  values,
  onChange,
  problems,
}: SaveFieldsProps & { hidden: boolean }) {
  return (
    <>
      <MetadataTextFields values={values} errors={problems} onChange={onChange} />
      <PrivateNoteField
        value={values.private_note}
        onChange={(private_note) => onChange({ private_note })}
        error={problems.private_note}
      />
      <AccessField
        required
        value={values.access}
        onChange={(access) => onChange({ access })}
        isHidden={hidden}
        error={problems.access}
      />
    </>
  )
}
