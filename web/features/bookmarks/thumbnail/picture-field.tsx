import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useEffect, useState } from 'react'
import { Field, Input } from '../../../ui/field.tsx'
import { RadioChoices } from '../../../ui/radio-choices.tsx'
import { OfferedPictures } from './offered-pictures.tsx'
import type { PictureChoice, PictureErrors, PictureSource } from './picture-choice.ts'
import { CoverableThumbnail, useThumbnailPreview } from './thumbnail-preview.tsx'

interface PictureFieldProps {
  /** The address of the current picture on our own origin. */
  current: string | null
  title: string
  orientation: Orientation
  sourceUrl: string
  /** The sources offered, in order. */
  sources: readonly PictureSource[]
  value: PictureChoice
  onChange: (changes: Partial<PictureChoice>) => void
  errors: { [Name in keyof PictureErrors]?: string | readonly string[] | undefined }
}

const sourceLabels: Record<PictureSource, string> = {
  same: 'Keep the current picture',
  offered: "Choose from the site's pictures",
  link: 'Picture at a link',
  file: 'Upload a picture',
  site: "Go back to the site's picture",
}

/** Chooses another picture, with a preview of what will be shown. Our server fetches every picture. */
export function PictureField({
  current,
  title,
  orientation,
  sourceUrl,
  sources,
  value,
  onChange,
  errors,
}: PictureFieldProps) {
  const atLink =
    value.source === 'link' ? value.link : value.source === 'offered' ? (value.offered ?? '') : ''
  const preview = useThumbnailPreview(atLink)
  const filePreview = useFilePreview(value.source === 'file' ? value.file : null)
  const shown = value.source === 'same' ? current : value.source === 'file' ? filePreview : preview.picture
  const status = preview.text ?? (shown === null ? 'No picture yet.' : null)
  return (
    <div className="flex flex-col gap-3">
      <RadioChoices
        label="Picture"
        name="picture_source"
        choices={sources.map((source) => ({ value: source, label: sourceLabels[source] }))}
        value={value.source}
        onChange={(source) => onChange({ source })}
      />
      {value.source === 'offered' && (
        <OfferedPictures
          sourceUrl={sourceUrl}
          orientation={orientation}
          value={value.offered}
          onChange={(offered) => onChange({ offered })}
          error={errors.thumbnail_url}
        />
      )}
      {value.source === 'link' && (
        <Field
          label="Picture link"
          hint="The address of a JPEG, PNG, WebP or GIF image."
          error={errors.thumbnail_url}
        >
          <Input
            type="url"
            name="thumbnail_url"
            value={value.link}
            placeholder="https://"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={limits.urlMax}
            onChange={(event) => onChange({ link: event.target.value })}
          />
        </Field>
      )}
      {value.source === 'file' && (
        <Field
          label="Picture file"
          hint={`JPEG, PNG, WebP or GIF, up to ${limits.thumbnailMax / 1024 / 1024} MB.`}
          error={errors.thumbnail}
        >
          <Input
            type="file"
            name="thumbnail"
            accept="image/jpeg,image/png,image/webp,image/gif"
            className="py-1.5 file:mr-3 file:h-full file:cursor-pointer file:rounded-chip file:border-0 file:bg-hover file:px-3 file:text-14 file:text-ink"
            onChange={(event) => onChange({ file: event.target.files?.[0] ?? null })}
          />
        </Field>
      )}
      {value.source !== 'offered' && value.source !== 'site' && (
        <div className="flex items-center gap-3">
          <CoverableThumbnail src={shown} title={title} orientation={orientation} className="w-40 shrink-0" />
          <p
            role={preview.hasFailed ? 'alert' : 'status'}
            className={`min-w-0 text-13 ${preview.hasFailed ? 'text-danger' : 'text-quiet'}`}
          >
            {status}
          </p>
        </div>
      )}
    </div>
  )
}

/** Returns an object URL of a chosen file while it is chosen; null otherwise. */
function useFilePreview(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (file === null) return
    const created = URL.createObjectURL(file)
    setUrl(created)
    return () => {
      setUrl(null)
      URL.revokeObjectURL(created)
    }
  }, [file])
  return url
}
