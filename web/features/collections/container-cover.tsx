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

/** Shows the cover of a collection or channel; concealed if it is adult content and age was not confirmed. */
export function ContainerCover({
  cover: { url, orientation },
  name,
  eager = false,
  className = 'rounded-card',
}: ContainerCoverProps) {
  const isCovered = useIsAdultCovered(orientation)
  return (
    <ThumbnailFrame src={isCovered ? null : url} title={name} eager={eager} className={className}>
      {isCovered && <AdultCover title={name} />}
    </ThumbnailFrame>
  )
}
