import { PictureFrame } from '../../ui/picture.tsx'
import { useIsCovered } from '../adult/consent.ts'
import { Veil } from '../adult/veil.tsx'
import type { Picture } from './place.ts'

interface PlacePictureProps {
  picture: Picture
  name: string
  eager?: boolean
  className?: string
}

/** What stands for a collection or channel; covered where it is adult content and nobody said that they are of age. */
export function PlacePicture({
  picture: { url, orientation },
  name,
  eager = false,
  className = 'rounded-card',
}: PlacePictureProps) {
  const covered = useIsCovered(orientation)
  return (
    <PictureFrame src={covered ? null : url} title={name} eager={eager} className={className}>
      {covered && <Veil title={name} />}
    </PictureFrame>
  )
}
