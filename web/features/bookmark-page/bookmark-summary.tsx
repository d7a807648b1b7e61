import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import BookmarkIcon from 'lucide-react/icons/bookmark'
import Clock from 'lucide-react/icons/clock'
import Heart from 'lucide-react/icons/heart'
import Lock from 'lucide-react/icons/lock'
import Play from 'lucide-react/icons/play'
import { lazy, type ReactNode, Suspense } from 'react'
import { useSession } from '../../shared/session/session.ts'
import { Badge } from '../../ui/chip.tsx'
import { Clamp } from '../../ui/clamp.tsx'
import { clockDuration, durationText } from '../../ui/duration.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { pluralise } from '../../ui/pluralise.ts'
import { useDeferredComponent } from '../../ui/use-deferred-component.ts'
import { bookmarkTitle } from '../bookmarks/public-api.ts'
import { loadBookmarkModerationTools, loadHiddenNotice } from '../moderation/public-api.ts'
import { useLike } from '../videos/public-api.ts'
import { BookmarkActions } from './bookmark-actions.tsx'
import { loadWatchedFact } from './load-parts.ts'

// Loaded separately, because only owners see it, and rarely.
const HiddenNotice = lazy(() => loadHiddenNotice().then((component) => ({ default: component })))
// Loaded for moderators only.
const BookmarkModerationTools = lazy(() =>
  loadBookmarkModerationTools().then((component) => ({ default: component })),
)

const loadMissingNotice = () => import('./missing-notice.tsx').then((module) => module.MissingNotice)

const loadReplacedNotice = () => import('./replaced-notice.tsx').then((module) => module.ReplacedNotice)

/** What is below the player of a bookmark: its title and state, the actions, and the tools of moderators. */
export function BookmarkSummary({ bookmark }: { bookmark: Bookmark }) {
  const { video } = bookmark
  const { isModerator } = useSession()
  const MissingNotice = useDeferredComponent(video.is_missing === true, loadMissingNotice)
  const ReplacedNotice = useDeferredComponent(bookmark.replaced_link != null, loadReplacedNotice)
  const WatchedFact = useDeferredComponent(true, loadWatchedFact)
  const like = useLike({ videoId: video.id, isLiked: bookmark.is_liked, likesCount: video.likes_count })
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-col items-start gap-3">
        {video.status === 'hidden' && <Badge tone="danger">Hidden pending review</Badge>}
        {bookmark.is_owner && video.status === 'hidden' && (
          <Suspense>
            <HiddenNotice videoId={video.id} />
          </Suspense>
        )}
        {video.is_missing === true && <Badge tone="danger">Gone from {video.host}</Badge>}
        {MissingNotice !== null && <MissingNotice bookmark={bookmark} />}
        {ReplacedNotice !== null && bookmark.replaced_link != null && (
          <ReplacedNotice bookmark={bookmark} link={bookmark.replaced_link} />
        )}
        {bookmark.is_held === true && (
          <>
            <Badge tone="danger">Pending review</Badge>
            <p className="text-13 text-quiet">
              This bookmark is being reviewed. Until it's approved, only you and moderators can see it.
            </p>
          </>
        )}
        {!bookmark.is_public && bookmark.is_held !== true && (
          <Badge>
            <Lock className="size-3.5" />
            Private
          </Badge>
        )}
        <Clamp lines="line-clamp-3" what="title">
          <PageTitle sizeClass="text-20 sm:text-25" className="tracking-[-0.015em]! wrap-anywhere">
            {bookmarkTitle(bookmark)}
          </PageTitle>
        </Clamp>
        {video.is_link_only === true && (
          <p className="text-13 text-quiet">
            The rights holder asked for the title and picture to be removed.
          </p>
        )}
        <ul className="flex flex-wrap items-center gap-x-5 gap-y-1 text-14 text-quiet tabular-nums">
          <Fact icon={<Heart className="size-4" />}>{pluralise(like.likesCount, 'like')}</Fact>
          <Fact icon={<BookmarkIcon className="size-4" />}>{pluralise(video.saves_count, 'save')}</Fact>
          {video.duration !== null && (
            <Fact icon={<Clock className="size-4" />}>
              <span className="sr-only">Duration </span>
              {durationText(video.duration)}
            </Fact>
          )}
          {bookmark.start_seconds !== null && video.start_parameter !== null && (
            <Fact icon={<Play className="size-4" />}>Starts at {clockDuration(bookmark.start_seconds)}</Fact>
          )}
          {video.saves_count > 0 && (
            <li>
              <a
                href="#comments"
                className="touch-target inline-flex min-h-6 items-center underline underline-offset-4 hover:text-ink"
              >
                {pluralise(video.comments_count, 'comment')}
              </a>
            </li>
          )}
          <li className="capitalize">
            Orientation: {video.orientation === 'sfw' ? 'SFW' : video.orientation}
          </li>
          {/* The space is reserved, so that nothing moves. */}
          <li className="min-h-6 min-w-36">{WatchedFact !== null && <WatchedFact bookmark={bookmark} />}</li>
        </ul>
      </div>

      <BookmarkActions bookmark={bookmark} like={like} />
      {isModerator && (
        <Suspense fallback={<div className="h-16" />}>
          <BookmarkModerationTools bookmark={bookmark} />
        </Suspense>
      )}
    </div>
  )
}

function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="inline-flex items-center gap-1.5">
      {icon}
      <span>{children}</span>
    </li>
  )
}
