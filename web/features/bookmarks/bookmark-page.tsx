import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { useRouteContext } from '@tanstack/react-router'
import { JsonLd } from '../../ui/json-ld.tsx'
import { CommentsSection } from '../comments/comments-section.tsx'
import { videoObject } from './bookmark-head.ts'
import { BookmarkSidebar } from './bookmark-sidebar.tsx'
import { bookmarkTitle } from './bookmark-title.ts'
import { MoreLikeThis } from './more-like-this.tsx'
import { Player } from './player.tsx'

/** A bookmark: the player beside what there is to know of it, and more of its kind below. */
export function BookmarkPage({ bookmark }: { bookmark: Bookmark }) {
  const publicUrl = useRouteContext({ from: '__root__', select: (context) => context.publicUrl })
  return (
    <div className="page sm:pt-6">
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_360px] lg:gap-10">
        <div className="max-sm:-mx-(--gutter)">
          <Player bookmark={bookmark} title={bookmarkTitle(bookmark)} />
        </div>
        <BookmarkSidebar key={bookmark.id} bookmark={bookmark} />
      </div>
      <CommentsSection key={bookmark.video.id} bookmark={bookmark} />
      <MoreLikeThis bookmark={bookmark} />
      <JsonLd key={bookmark.id} value={videoObject(bookmark, publicUrl)} />
    </div>
  )
}
