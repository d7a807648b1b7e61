import { isAdult } from '@reelmark/contract/fields.ts'
import type { ListingItem } from '@reelmark/contract/listing.ts'
import { AdultNotice } from '../adult/adult-notice.tsx'
import { useAdultConsent } from '../adult/consent.ts'
import { VideoCard } from './video-card.tsx'

/** Cards in as many columns as fit. The first `eager` pictures load at once. */
export function VideoGrid({ items, eager = 6 }: { items: readonly ListingItem[]; eager?: number }) {
  const consent = useAdultConsent()
  const covered = !consent && items.some((item) => isAdult(item.orientation))
  return (
    <div className="flex flex-col gap-6">
      {covered && <AdultNotice />}
      <ul className="card-grid">
        {items.map((item, index) => (
          <li key={item.id}>
            <VideoCard item={item} eager={index < eager} />
          </li>
        ))}
      </ul>
    </div>
  )
}
