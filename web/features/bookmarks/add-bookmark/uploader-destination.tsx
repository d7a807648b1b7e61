import type { Extraction } from '@reelmark/contract/extraction.ts'
import { Button } from '../../../ui/button.tsx'
import { type Destination, destinationName, isSameDestination } from '../destination/destination.ts'

interface UploaderDestinationProps {
  extraction: Extraction
  destination: Destination
  onChange: (destination: Destination) => void
}

/** Offers the collection and channel in which the user filed other videos of the same uploader, unless it is chosen. */
export function UploaderDestination({ extraction, destination, onChange }: UploaderDestinationProps) {
  const { channel_name, uploader_destination: filed } = extraction
  if (channel_name === null || filed === null) return null
  const { collection, channel } = filed
  const target = { collection: collection.id, channel: channel?.id ?? null }
  if (isSameDestination(target, destination)) return null
  const name = destinationName(collection, channel)
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-13 text-quiet wrap-anywhere">
      <span>
        You filed videos of {channel_name} in {name}.
      </span>
      <Button size="sm" className="max-w-full" onClick={() => onChange(target)}>
        <span className="truncate">Use {name}</span>
      </Button>
    </p>
  )
}
