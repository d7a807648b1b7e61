import type { CoverImage } from '@reelmark/contract/collections.ts'
import { useIsAdultCovered } from '../../shared/adult/adult-consent.ts'
import { AdultCover } from '../../shared/adult/adult-cover.tsx'
import { ThumbnailFrame } from '../../ui/thumbnail-frame.tsx'
import type { Cover } from './container.ts'

interface ContainerCoverProps {
  cover: Cover
  name: string
  eager?: boolean
  className?: string
}

/**
 * Shows the cover of a collection or channel: a mosaic of its newest pictures, or one picture. Adult pictures are concealed if age
 * was not confirmed.
 */
export function ContainerCover({
  cover: { url, orientation, images = [] },
  name,
  eager = false,
  className = 'rounded-card',
}: ContainerCoverProps) {
  const isCovered = useIsAdultCovered(orientation)
  // The server sends at most four.
  if (images.length === 4) {
    return (
      <div className={`frame grid grid-cols-2 gap-0.5 ${className}`}>
        {images.map((image, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two bookmarks can have the same picture.
          <MosaicPicture key={index} image={image} name={name} eager={eager} />
        ))}
      </div>
    )
  }
  return (
    <ThumbnailFrame src={isCovered ? null : url} title={name} eager={eager} className={className}>
      {isCovered && <AdultCover title={name} />}
    </ThumbnailFrame>
  )
}

function MosaicPicture({ image, name, eager }: { image: CoverImage; name: string; eager: boolean }) {
  const isCovered = useIsAdultCovered(image.orientation)
  return (
    <ThumbnailFrame src={isCovered ? null : image.url} title={name} eager={eager}>
      {isCovered && <AdultCover title={name} />}
    </ThumbnailFrame>
  )
}
