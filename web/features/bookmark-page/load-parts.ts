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

/** Loads the parts that every page of a bookmark shows. */
export async function preloadParts(): Promise<void> {
  await Promise.all([BookmarkSidebar, CommentsSection, MoreLikeThis].map(({ preload }) => preload()))
}
