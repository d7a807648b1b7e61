import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import type { Orientation, Shape } from '@reelmark/contract/protocol/fields.ts'
import { useQuery } from '@tanstack/react-query'
import { useIsAdultCovered } from '../../../shared/adult/adult-consent.ts'
import { AdultCover } from '../../../shared/adult/adult-cover.tsx'
import { errorBody } from '../../../shared/errors/api-error.ts'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { ThumbnailFrame } from '../../../ui/thumbnail-frame.tsx'
import { useDebouncedValue } from '../../../ui/use-debounced-value.ts'
import { isPictureLink, thumbnailPreviewQuery } from './queries.ts'

export interface ThumbnailPreview {
  picture: string | null
  shape: Shape | null
  /** Why there is no picture; null if there is one or no link. */
  text: string | null
  hasFailed: boolean
}

const noPreview: ThumbnailPreview = { picture: null, shape: null, text: null, hasFailed: false }

/** Returns the picture at a link while the link is typed. */
export function useThumbnailPreview(typedUrl: string): ThumbnailPreview {
  const typed = typedUrl.trim()
  const url = useDebouncedValue(typed, 500)
  const { data, error, isFetching } = useQuery(thumbnailPreviewQuery(url))
  if (!isPictureLink(typed)) return noPreview
  if (url !== typed || isFetching) return { ...noPreview, text: 'Loading the picture…' }
  if (error !== null) {
    const [text = errorMessage(error)] = errorTexts(errorBody(error).url)
    return { ...noPreview, text, hasFailed: true }
  }
  return { ...noPreview, picture: data?.picture ?? null, shape: data?.shape ?? null }
}

/** A picture as a thumbnail, covered for visitors who have not confirmed their age. */
export function CoverableThumbnail({
  src,
  title,
  orientation,
  shape,
  className = '',
}: {
  src: string | null
  title: string
  orientation: Orientation
  shape?: Shape | undefined
  className?: string
}) {
  const isCovered = useIsAdultCovered(orientation)
  return (
    <ThumbnailFrame
      src={isCovered ? null : src}
      title={title}
      shape={shape}
      eager
      className={`rounded-control ${className}`}
    >
      {isCovered && <AdultCover title={title} />}
    </ThumbnailFrame>
  )
}
