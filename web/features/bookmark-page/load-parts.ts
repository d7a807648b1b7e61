import { deferPart } from '../../ui/defer-part.tsx'
import { loadCommentsSection } from '../comments/public-api.ts'
import { loadPlayQueuePanel } from '../videos/public-api.ts'

const loadParts = () => import('./deferred-parts.ts').then((module) => module.deferredParts)

export const loadMoreActions = () => loadParts().then((parts) => parts.MoreActions)
export const loadOwnerFollow = () => loadParts().then((parts) => parts.OwnerFollow)
export const loadPrivateNote = () => loadParts().then((parts) => parts.PrivateNote)
export const loadWatchedFact = () => loadParts().then((parts) => parts.WatchedFact)

const loadMoreLikeThis = () => import('./more-like-this.tsx')

export const BookmarkSidebar = deferPart(() =>
  import('./bookmark-sidebar.tsx').then((module) => module.BookmarkSidebar),
)
export const CommentsSection = deferPart(loadCommentsSection, 'min-w-0')
export const MoreLikeThis = deferPart(() => loadMoreLikeThis().then((module) => module.MoreLikeThis))
export const MoreLikeThisSidebar = deferPart(() =>
  loadMoreLikeThis().then((module) => module.MoreLikeThisSidebar),
)
export const PlayQueuePanel = deferPart(loadPlayQueuePanel)

/**
 * Loads the parts of a page of a bookmark.
 * @param withQueue whether a list is played
 */
export async function preloadParts(withQueue: boolean): Promise<void> {
  const parts = [BookmarkSidebar, CommentsSection, MoreLikeThis, MoreLikeThisSidebar]
  await Promise.all([...parts, ...(withQueue ? [PlayQueuePanel] : [])].map(({ preload }) => preload()))
}
