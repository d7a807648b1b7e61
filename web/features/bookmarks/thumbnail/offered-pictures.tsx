import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Button } from '../../../ui/button.tsx'
import { FieldErrors } from '../../../ui/field.tsx'
import { offeredPicturesQuery, thumbnailPreviewQuery } from './queries.ts'
import { CoverableThumbnail } from './thumbnail-preview.tsx'

interface OfferedPicturesProps {
  sourceUrl: string
  orientation: Orientation
  value: string | null
  onChange: (picture: string) => void
  error: string | readonly string[] | undefined
}

/** Chooses one of the pictures that the video's page offers. */
export function OfferedPictures({ sourceUrl, orientation, value, onChange, error }: OfferedPicturesProps) {
  const id = useId()
  const { data, isFetching, isError, refetch } = useQuery(offeredPicturesQuery(sourceUrl))
  if (isFetching) {
    return (
      <p role="status" className="text-13 text-quiet">
        Looking for pictures…
      </p>
    )
  }
  if (isError || data === undefined) {
    return (
      <p role="alert" className="text-13 text-danger">
        The site's pictures couldn't be loaded.{' '}
        <Button size="sm" onClick={() => void refetch()}>
          Try again
        </Button>
      </p>
    )
  }
  if (data.length === 0) return <p className="text-13 text-quiet">This site offers no pictures.</p>
  const errorTexts = error === undefined ? [] : [error].flat()
  return (
    <fieldset
      className="flex min-w-0 flex-col gap-2"
      aria-describedby={errorTexts.length === 0 ? undefined : `${id}-error`}
    >
      <legend className="mb-1.5 text-14 font-medium text-ink">The site's pictures</legend>
      <div className="grid grid-cols-2 gap-3 p-1 sm:grid-cols-3">
        {data.map((picture, index) => (
          <OfferedPicture
            key={picture}
            picture={picture}
            name={`Picture ${index + 1} of ${data.length}`}
            orientation={orientation}
            checked={picture === value}
            onChoose={() => onChange(picture)}
          />
        ))}
      </div>
      {errorTexts.length > 0 && <FieldErrors id={`${id}-error`} errors={errorTexts} />}
    </fieldset>
  )
}

function OfferedPicture({
  picture,
  name,
  orientation,
  checked,
  onChoose,
}: {
  picture: string
  name: string
  orientation: Orientation
  checked: boolean
  onChoose: () => void
}) {
  const { data, isError } = useQuery(thumbnailPreviewQuery(picture))
  return (
    <label className="relative block cursor-pointer rounded-control ring-offset-2 ring-offset-raised has-checked:ring-2 has-checked:ring-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-focus has-disabled:cursor-not-allowed">
      <input
        type="radio"
        name="thumbnail_url"
        value={picture}
        aria-label={isError ? `${name}, couldn't be loaded` : name}
        checked={checked}
        disabled={isError}
        onChange={onChoose}
        className="absolute inset-0 z-10 cursor-pointer opacity-0 disabled:cursor-not-allowed"
      />
      {isError ? (
        <span className="frame flex items-center justify-center rounded-control bg-sunken px-2 text-center text-13 text-quiet">
          Couldn't be loaded
        </span>
      ) : (
        <CoverableThumbnail
          src={data?.picture ?? null}
          title={name}
          orientation={orientation}
          shape={data?.shape}
        />
      )}
    </label>
  )
}
