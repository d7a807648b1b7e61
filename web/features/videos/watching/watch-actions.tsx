import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import Check from 'lucide-react/icons/check'
import Circle from 'lucide-react/icons/circle'
import ListPlus from 'lucide-react/icons/list-plus'
import ListVideo from 'lucide-react/icons/list-video'
import { Button } from '../../../ui/button.tsx'
import { useShortcuts } from '../../../ui/shortcuts.ts'
import { useWatchLater } from './use-watch-later.ts'
import { useWatched } from './use-watched.ts'

const buttonClass = 'px-2!'
const activeButtonClass = 'px-2! text-accent-ink'

/** Buttons for Watch Later and the watched mark. */
export function WatchActions({ bookmark }: { bookmark: Bookmark }) {
  const videoId = bookmark.video.id
  const watchLater = useWatchLater({ videoId, isInWatchLater: bookmark.is_in_watch_later })
  const watched = useWatched({ videoId, isWatched: bookmark.is_watched })
  useShortcuts({ w: watchLater.toggle })
  const WatchLaterIcon = watchLater.isInWatchLater ? ListVideo : ListPlus
  const WatchedIcon = watched.isWatched ? Check : Circle
  return (
    <div className="-mt-4 grid w-full grid-cols-2 gap-2">
      <Button
        size="sm"
        className={watchLater.isInWatchLater ? activeButtonClass : buttonClass}
        aria-keyshortcuts="w"
        onClick={watchLater.toggle}
      >
        <WatchLaterIcon className="size-4 shrink-0" />
        {watchLater.isInWatchLater ? 'In Watch Later' : 'Watch later'}
      </Button>
      <Button
        size="sm"
        className={watched.isWatched ? activeButtonClass : buttonClass}
        onClick={watched.toggle}
      >
        <WatchedIcon className="size-4 shrink-0" />
        {watched.isWatched ? 'Watched' : 'Mark as watched'}
      </Button>
    </div>
  )
}
