import { useIsAdultCovered } from '../../shared/adult/adult-consent.ts'
import { AdultCover } from '../../shared/adult/adult-cover.tsx'
import { ThumbnailFrame } from '../../ui/thumbnail-frame.tsx'
import type { Cover } from './container.ts'

interface ContainerCoverProps {
  picture: Cover
  name: string
  eager?: boolean
  className?: string
}

/** What stands for a collection or channel; covered where it is adult content and nobody said that they are of age. */
export function ContainerCover({
  picture: { url, orientation },
  name,
  eager = false,
  className = 'rounded-card',
}: ContainerCoverProps) {
  const covered = useIsAdultCovered(orientation)
  return (
    <ThumbnailFrame src={covered ? null : url} title={name} eager={eager} className={className}>
      {covered && <AdultCover title={name} />}
    </ThumbnailFrame>
  )
}
