import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { useRouteContext } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { JsonLd } from '../../ui/json-ld.tsx'
import { PlainTextContext } from '../../ui/plain-text.tsx'
import { useDeferredComponent } from '../../ui/use-deferred-component.ts'
import { bookmarkTitle } from '../bookmarks/public-api.ts'
import {
  loadQueueOverlay,
  loadTimedText,
  type PlayContext,
  Player,
  useQueuePlayback,
} from '../videos/public-api.ts'
import { videoObject } from './bookmark-head.ts'
import { BookmarkSummary } from './bookmark-summary.tsx'
import {
  BookmarkSidebar,
  CommentsSection,
  MoreLikeThis,
  MoreLikeThisSidebar,
  PlayQueuePanel,
} from './load-parts.ts'

const loadMoreFromUploader = () =>
  import('./more-from-uploader.tsx').then((module) => module.MoreFromUploader)

/** From this number of comments, similar videos are shown next to them instead of below. */
const longDiscussionMin = 8

/** The page of a bookmark: the player, the details, the comments, and similar videos below or next to the comments. */
export function BookmarkPage({ bookmark, from }: { bookmark: Bookmark; from: PlayContext }) {
  const publicUrl = useRouteContext({ from: '__root__', select: (context) => context.publicUrl })
  const playback = useQueuePlayback(bookmark, from)
  const { view } = playback
  const showsSimilarInSidebar =
    useInitialValue(bookmark.id, bookmark.video.comments_count >= longDiscussionMin) && view === null
  const QueueOverlay = useDeferredComponent(view !== null, loadQueueOverlay)
  const MoreFromUploader = useDeferredComponent(bookmark.video.uploader_name != null, loadMoreFromUploader)
  const renderPlainText = useTimedText(bookmark)
  return (
    <PlainTextContext value={renderPlainText}>
      <div className="page watch-page lg:pt-6">
        <div className="watch-grid">
          <div className="stage-area">
            <Player bookmark={bookmark} title={bookmarkTitle(bookmark)} {...playback.player}>
              {QueueOverlay !== null && <QueueOverlay bookmark={bookmark} playback={playback} />}
            </Player>
          </div>
          {view !== null && (
            <div className="watch-aside">
              <PlayQueuePanel view={view} playback={playback} />
            </div>
          )}
          <BookmarkSummary key={`summary ${bookmark.id}`} bookmark={bookmark} />
          <div className={`flex min-w-0 flex-col gap-6 ${view === null ? 'watch-aside' : 'max-w-180'}`}>
            <BookmarkSidebar key={bookmark.id} bookmark={bookmark} />
            {showsSimilarInSidebar && (
              <div className="flex min-w-0 flex-1 flex-col min-[1200px]:justify-end">
                <MoreLikeThisSidebar key={bookmark.id} id={bookmark.id} />
              </div>
            )}
          </div>
          <CommentsSection key={bookmark.video.id} bookmark={bookmark} />
        </div>
        {MoreFromUploader !== null && <MoreFromUploader video={bookmark.video} />}
        {!showsSimilarInSidebar && <MoreLikeThis key={`similar ${bookmark.id}`} id={bookmark.id} />}
        <JsonLd key={bookmark.id} value={import.meta.env.SSR ? videoObject(bookmark, publicUrl) : null} />
      </div>
    </PlainTextContext>
  )
}

const renderUnchanged = (text: string): ReactNode => text

/** Returns how texts on the page are shown: with times in the video as buttons, if its player can start there. */
function useTimedText(bookmark: Bookmark): (text: string) => ReactNode {
  const TimedText = useDeferredComponent(bookmark.video.start_parameter !== null, loadTimedText)
  return TimedText === null ? renderUnchanged : (text) => <TimedText text={text} bookmark={bookmark} />
}

/**
 * Returns the value that was passed when the page opened this bookmark, so that the layout does not change afterwards.
 */
function useInitialValue(id: number, value: boolean): boolean {
  const [initial, setInitial] = useState({ id, value })
  if (initial.id === id) return initial.value
  setInitial({ id, value })
  return value
}
