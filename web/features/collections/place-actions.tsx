import type { ListingItem } from '@reelmark/contract/listing.ts'
import { FolderPlus, Share2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useSignInFirst } from '../../sign-in-first.ts'
import { Button } from '../../ui/button.tsx'
import { shareLink } from '../../ui/share.ts'
import { PlayAll } from '../watching/play-all.tsx'
import { placePath, type ShownPlace } from './place.ts'

const CollectAllDialog = lazy(() =>
  import('./collect-all-dialog.tsx').then((module) => ({ default: module.CollectAllDialog })),
)
const OwnPlaceActions = lazy(() =>
  import('./own-place-actions.tsx').then((module) => ({ default: module.OwnPlaceActions })),
)

/** What one can do with a collection or channel. What only its owner can do is loaded for them alone. */
export function PlaceActions({
  place,
  first,
  className = '',
}: {
  place: ShownPlace
  /** What is played first. */
  first: Pick<ListingItem, 'id'> | undefined
  className?: string
}) {
  const signedIn = useSignInFirst()
  const [collecting, setCollecting] = useState<'never' | 'open' | 'closed'>('never')
  const caution =
    place.access === 'private' ? `This ${place.kind} is private, so only you can open the link.` : undefined
  return (
    <fieldset className={`flex min-w-0 flex-wrap gap-2 ${className}`}>
      <legend className="sr-only">Actions</legend>
      <PlayAll first={first} place={{ [place.kind]: place.id }} />
      {!place.isOwner && place.bookmarksCount > 0 && (
        <Button
          aria-haspopup="dialog"
          onClick={() => {
            if (signedIn()) setCollecting('open')
          }}
        >
          <FolderPlus aria-hidden="true" className="size-4" strokeWidth={1.75} />
          Collect all
        </Button>
      )}
      <Button
        onClick={(event) => {
          const shared = { path: placePath(place), title: place.name, caution }
          void shareLink(shared, event.currentTarget)
        }}
      >
        <Share2 aria-hidden="true" className="size-4" strokeWidth={1.75} />
        Share
      </Button>
      <Suspense>
        {place.isOwner && <OwnPlaceActions place={place} />}
        {collecting !== 'never' && (
          <CollectAllDialog
            place={place}
            open={collecting === 'open'}
            onClose={() => setCollecting('closed')}
          />
        )}
      </Suspense>
    </fieldset>
  )
}
