import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import { useDeferredComponent } from '../../shared/hooks/use-deferred-component.ts'
import { JsonLd } from '../../ui/json-ld.tsx'
import { bookmarkTitle } from '../bookmarks/public-api.ts'
import { CommentsSection } from '../comments/public-api.ts'
import {
  loadUpNext,
  type PlayContext,
  Player,
  PlayQueuePanel,
  useAutoplayNext,
  useQueuePlayback,
} from '../videos/public-api.ts'
import { videoObject } from './bookmark-head.ts'
import { BookmarkSidebar } from './bookmark-sidebar.tsx'
import { MoreLikeThis, MoreLikeThisSidebar } from './more-like-this.tsx'

/** From as many comments on, more like the bookmark stands beside them: below them nobody would get to it. */
const longDiscussion = 8

/** A bookmark: the player beside what there is to know of it, and more of its kind below or beside the comments. */
export function BookmarkPage({ bookmark, from }: { bookmark: Bookmark; from: PlayContext }) {
  const publicUrl = useRouteContext({ from: '__root__', select: (context) => context.publicUrl })
  const through = useQueuePlayback(bookmark, from)
  const playOn = useAutoplayNext()
  const { view } = through
  const isBeside =
    useInitialValue(bookmark.id, bookmark.video.comments_count >= longDiscussion) && view === null
  const UpNext = useDeferredComponent(view !== null, loadUpNext)
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
        {view !== null && <PlayQueuePanel view={view} through={through} />}
        <div className={`flex min-w-0 flex-col gap-6 ${view === null ? 'lg:row-span-2' : 'max-w-180'}`}>
          <BookmarkSidebar key={bookmark.id} bookmark={bookmark} />
          {isBeside && (
            <div className="flex min-w-0 flex-1 flex-col lg:justify-end">
              <MoreLikeThisSidebar id={bookmark.id} />
            </div>
          )}
        </div>
        <div className="min-w-0">
          <CommentsSection key={bookmark.video.id} bookmark={bookmark} />
        </div>
      </div>
      {!isBeside && <MoreLikeThis id={bookmark.id} />}
      <JsonLd key={bookmark.id} value={videoObject(bookmark, publicUrl)} />
    </div>
  )
}

/** How it was when the page came to this bookmark: nothing changes its place while somebody is there. */
function useInitialValue(id: number, now: boolean): boolean {
  const [first, setFirst] = useState({ id, was: now })
  if (first.id === id) return first.was
  setFirst({ id, was: now })
  return now
}
