import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { useRouteContext } from '@tanstack/react-router'
import { useLate } from '../../late.ts'
import { JsonLd } from '../../ui/json-ld.tsx'
import { CommentsSection } from '../comments/comments-section.tsx'
import { usePlayOn } from '../watching/play-on.ts'
import type { QueueSearch } from '../watching/queue.ts'
import { QueuePanel } from '../watching/queue-panel.tsx'
import { usePlayThrough } from '../watching/use-play-through.ts'
import { videoObject } from './bookmark-head.ts'
import { BookmarkSidebar } from './bookmark-sidebar.tsx'
import { bookmarkTitle } from './bookmark-title.ts'
import { MoreLikeThis } from './more-like-this.tsx'
import { Player } from './player.tsx'

const loadUpNext = () => import('../watching/up-next.tsx').then((module) => module.UpNext)

/** A bookmark: the player beside what there is to know of it, and more of its kind below. */
export function BookmarkPage({ bookmark, from }: { bookmark: Bookmark; from: QueueSearch }) {
  const publicUrl = useRouteContext({ from: '__root__', select: (context) => context.publicUrl })
  const through = usePlayThrough(bookmark, from)
  const playOn = usePlayOn()
  const { view } = through
  const UpNext = useLate(view !== null, loadUpNext)
  const next = through.isEnded && playOn ? (view?.next ?? null) : null
  return (
    <div className="page sm:pt-6">
      {/* Beside the player, on its right, stands what there is to know; or what else is played, and the rest below it. */}
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_360px] lg:grid-rows-[auto_1fr] lg:gap-x-10">
        <div className="max-sm:-mx-(--gutter)">
          <Player bookmark={bookmark} title={bookmarkTitle(bookmark)} {...through.player}>
            {next !== null && UpNext !== null && (
              <UpNext
                key={next.id}
                title={next.title || 'Untitled Bookmark'}
                onGo={() => through.goTo(next, { byItself: true })}
                onCancel={through.stay}
              />
            )}
          </Player>
        </div>
        {view !== null && <QueuePanel view={view} through={through} />}
        <div className={view === null ? 'min-w-0 lg:row-span-2' : 'max-w-180 min-w-0'}>
          <BookmarkSidebar key={bookmark.id} bookmark={bookmark} />
        </div>
        <div className="min-w-0">
          <CommentsSection key={bookmark.video.id} bookmark={bookmark} />
        </div>
      </div>
      <MoreLikeThis id={bookmark.id} />
      <JsonLd key={bookmark.id} value={videoObject(bookmark, publicUrl)} />
    </div>
  )
}
