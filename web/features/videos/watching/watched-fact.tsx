import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import Check from 'lucide-react/icons/check'
import Eye from 'lucide-react/icons/eye'
import { useWatched } from './use-watched.ts'

/** Says whether the viewer has watched the video, and changes it. */
export function WatchedFact({ bookmark }: { bookmark: Bookmark }) {
  const { isWatched, toggle } = useWatched({ videoId: bookmark.video.id, isWatched: bookmark.is_watched })
  const Icon = isWatched ? Check : Eye
  return (
    <button
      type="button"
      className={`touch-target inline-flex min-h-6 cursor-pointer items-center gap-1.5 rounded-chip hover:text-ink hover:underline hover:underline-offset-4 ${isWatched ? 'text-accent-ink' : ''}`}
      onClick={toggle}
    >
      <Icon className="size-4 shrink-0" />
      {isWatched ? 'Watched' : 'Mark as watched'}
    </button>
  )
}
