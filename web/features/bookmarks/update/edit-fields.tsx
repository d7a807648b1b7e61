import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { type Orientation, type Shape, shapes } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { findLengthError } from '../../../shared/forms/find-length-error.ts'
import { OrientationOptions } from '../../../shared/orientation/orientation-options.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { orientationHint } from '../add-bookmark/save-fields.tsx'
import { shapeLabels } from '../add-bookmark/shape-labels.ts'
import { EmbedUrlField } from '../embed-url-field.tsx'
import { hasFixedPlayer } from '../has-fixed-player.ts'
import { MetadataTextFields } from '../metadata-text-fields.tsx'
import { PrivateNoteField } from '../private-note-field.tsx'
import { TagsInput } from '../tags/tags-input.tsx'
import { type EditValues, hasStart } from './edit-values.ts'

interface EditFieldsProps {
  bookmark: Bookmark
  values: EditValues
  onChange: (changes: Partial<EditValues>) => void
  errors: Partial<Record<string, string | readonly string[] | undefined>>
}

/** The texts and tags of a bookmark. */
export function DescriptionFields({ values, onChange, errors }: EditFieldsProps) {
  return (
    <>
      <Field label="Title" required error={errors.title ?? findLengthError(values.title, limits.titleMax)}>
        <Input
          data-autofocus
          name="title"
          value={values.title}
          onChange={(event) => onChange({ title: event.target.value })}
        />
      </Field>
      <MetadataTextFields values={values} errors={errors} onChange={onChange} />
      <PrivateNoteField
        value={values.private_note}
        onChange={(private_note) => onChange({ private_note })}
        error={errors.private_note}
      />
      <Field
        label="Tags"
        hint="Separate tags with commas, for example: short film, animation"
        error={errors.tags}
      >
        <TagsInput name="tags" value={values.tags} onChange={(tags) => onChange({ tags })} />
      </Field>
    </>
  )
}

/** What the owner can correct about the video itself. */
export function VideoFactFields({ bookmark, values, onChange, errors }: EditFieldsProps) {
  return (
    <>
      <EmbedUrlField
        host={bookmark.video.host}
        isFixed={hasFixedPlayer(bookmark.video)}
        value={values.embed_url}
        onChange={(embed_url) => onChange({ embed_url })}
        error={errors.embed_url}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Duration" hint="For example 12:34." error={errors.duration}>
          <Input
            name="duration"
            value={values.duration}
            autoComplete="off"
            maxLength={12}
            onChange={(event) => onChange({ duration: event.target.value })}
          />
        </Field>
        <Field label="Shape" hint="The frame of the video." error={errors.shape}>
          <Select
            name="shape"
            value={values.shape}
            onChange={(event) => onChange({ shape: event.target.value as Shape })}
          >
            {shapes.map((shape) => (
              <option key={shape} value={shape}>
                {shapeLabels[shape]}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      {hasStart(bookmark) && (
        <Field
          label="Start at"
          hint="Optional. The time at which the video starts, for example 1:23."
          error={errors.start_seconds}
        >
          <Input
            name="start_seconds"
            value={values.start_seconds}
            autoComplete="off"
            className="max-w-40"
            maxLength={12}
            onChange={(event) => onChange({ start_seconds: event.target.value })}
          />
        </Field>
      )}
      <Field label="Orientation" hint={orientationHint} error={errors.orientation}>
        <Select
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
