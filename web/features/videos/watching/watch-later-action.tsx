import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import ListPlus from 'lucide-react/icons/list-plus'
import ListVideo from 'lucide-react/icons/list-video'
import { ActionButton } from '../../../ui/action-button.tsx'
import { useShortcuts } from '../../../ui/shortcuts.ts'
import { useWatchLater } from './use-watch-later.ts'

/** A button that puts the video into Watch Later. */
export function WatchLaterAction({ bookmark }: { bookmark: Bookmark }) {
  const { isInWatchLater, toggle } = useWatchLater({
    videoId: bookmark.video.id,
    isInWatchLater: bookmark.is_in_watch_later,
  })
  useShortcuts({ w: toggle })
  return (
    <ActionButton
      icon={isInWatchLater ? <ListVideo /> : <ListPlus />}
      className={isInWatchLater ? 'text-accent-ink!' : ''}
      aria-keyshortcuts="w"
      onClick={toggle}
    >
      {isInWatchLater ? 'In Watch Later' : 'Watch later'}
    </ActionButton>
  )
}
