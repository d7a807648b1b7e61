import type { ListingItem, ListingQuery } from '@reelmark/contract/listing.ts'
import FolderPlus from 'lucide-react/icons/folder-plus'
import Share2 from 'lucide-react/icons/share-2'
import { lazy, Suspense, useState } from 'react'
import { useRequireSignIn } from '../../shared/session/use-require-sign-in.ts'
import { Button } from '../../ui/button.tsx'
import { useDeferredComponent } from '../../ui/use-deferred-component.ts'
import { PlayAll } from '../videos/public-api.ts'
import { type Container, containerPath } from './container.ts'
import { loadFollowContainer, loadShareDialog } from './lazy-components.ts'

const FeedLink = lazy(() =>
  import('../../shared/feeds/feed-link.tsx').then((module) => ({ default: module.FeedLink })),
)
const ShareDialog = lazy(() => loadShareDialog().then((component) => ({ default: component })))
const CollectAllDialog = lazy(() =>
  import('./collect-all-dialog.tsx').then((module) => ({ default: module.CollectAllDialog })),
)
const OwnerContainerActions = lazy(() =>
  import('./owner-container-actions.tsx').then((module) => ({ default: module.OwnerContainerActions })),
)

/** The actions on a collection or channel. Those of the owner are loaded separately. */
export function ContainerActions({
  container,
  first,
  listing,
  onReorder,
  className = '',
}: {
  container: Container
  /** The bookmark that is played first. */
  first: Pick<ListingItem, 'id'> | undefined
  /** What is played. */
  listing: ListingQuery
  onReorder: (() => void) | undefined
  className?: string
}) {
  const requireSignIn = useRequireSignIn()
  const FollowContainer = useDeferredComponent(!container.isOwner, loadFollowContainer)
  const [collecting, setCollecting] = useState<'never' | 'open' | 'closed'>('never')
  const [sharing, setSharing] = useState<'never' | 'open' | 'closed'>('never')
  return (
    <fieldset className={`container-actions flex min-w-0 flex-wrap gap-2 ${className}`}>
      <legend className="sr-only">Actions</legend>
      <PlayAll first={first} query={listing} />
      {!container.isOwner &&
        (FollowContainer === null ? (
          // Reserves the space.
          <Button className="not-own invisible min-w-28" />
        ) : (
          <FollowContainer
            container={container}
            isFollowed={container.isFollowed}
            className="not-own min-w-28"
          />
        ))}
      {!container.isOwner && container.bookmarksCount > 0 && (
        <Button
          className="not-own"
          aria-haspopup="dialog"
          onClick={() => {
            if (requireSignIn()) setCollecting('open')
          }}
        >
          <FolderPlus className="size-4" />
          <span>Collect all</span>
        </Button>
      )}
      <Button aria-haspopup="dialog" onClick={() => setSharing('open')}>
        <Share2 className="size-4" />
        <span>Share</span>
      </Button>
      <Suspense>
        {container.isOwner ? (
          <OwnerContainerActions container={container} onReorder={onReorder} />
        ) : (
          <FeedLink className="not-own" page={containerPath(container)} />
        )}
        {sharing !== 'never' && (
          <ShareDialog
            container={{ ...container, username: container.user.username }}
            open={sharing === 'open'}
            onClose={() => setSharing('closed')}
          />
        )}
        {collecting !== 'never' && (
          <CollectAllDialog
            container={container}
            open={collecting === 'open'}
            onClose={() => setCollecting('closed')}
          />
        )}
      </Suspense>
    </fieldset>
  )
}
