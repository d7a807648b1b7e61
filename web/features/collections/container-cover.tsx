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
  cover,
  name,
  eager = false,
  className = 'rounded-card',
}: ContainerCoverProps) {
  const { images = [] } = cover
  // The server sends at most four.
  if (images.length !== 4) return <Picture picture={cover} name={name} eager={eager} className={className} />
  return (
    <div className={`frame grid grid-cols-2 gap-0.5 ${className}`}>
      {images.map((image, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two bookmarks can have the same picture.
        <Picture key={index} picture={image} name={name} eager={eager} className="" />
      ))}
    </div>
  )
}

function Picture({
  picture: { url, orientation },
  name,
  eager,
  className,
}: Required<Omit<ContainerCoverProps, 'cover'>> & { picture: Pick<Cover, 'url' | 'orientation'> }) {
  const isCovered = useIsAdultCovered(orientation)
  return (
    <ThumbnailFrame src={isCovered ? null : url} title={name} eager={eager} className={className}>
      {isCovered && <AdultCover title={name} />}
    </ThumbnailFrame>
  )
}
