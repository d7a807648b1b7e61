import { Link, useRouter } from '@tanstack/react-router'
import Maximize2 from 'lucide-react/icons/maximize-2'
import SkipForward from 'lucide-react/icons/skip-forward'
import X from 'lucide-react/icons/x'
import { IconButton, iconButtonClass } from '../../../ui/button.tsx'
import { useShortcuts } from '../../../ui/shortcuts.ts'
import { type NowPlaying, stopVideo } from './now-playing.ts'

interface MiniPlayerBarProps {
  playing: NowPlaying
  /** What is wrong with the player; null: nothing. */
  problem: string | null
  /** Plays the next video of the list; null: there is no next one. */
  onNext: (() => void) | null
}

function close(): void {
  stopVideo()
  // The button that had the focus is gone.
  document.getElementById('content')?.focus({ preventScroll: true })
}

/** The controls of the mini-player: its title leads back to the page of the video. */
export function MiniPlayerBar({
  playing: { bookmark, title, context },
  problem,
  onNext,
}: MiniPlayerBarProps) {
  const router = useRouter()
  const link = { to: '/bookmarks/$id', params: { id: String(bookmark.id) }, search: context } as const
  useShortcuts({ i: () => void router.navigate(link) })
  return (
    <div className="flex min-w-0 flex-1 items-center gap-1 py-1 pr-1 pl-3">
      <Link {...link} aria-hidden="true" tabIndex={-1} className="min-w-0 flex-1 py-1.5">
        <span className="line-clamp-2 text-13 font-medium wrap-anywhere">{title}</span>
        {problem !== null && <span className="block truncate text-12 text-danger">{problem}</span>}
      </Link>
      <p role="status" className="sr-only">
        {problem ?? `Playing in the mini-player: ${title}`}
      </p>
      <Link
        {...link}
        aria-label={`Back to ${title}`}
        title="Back to the video"
        aria-keyshortcuts="i"
        className={iconButtonClass('quiet', 'sm')}
      >
        <Maximize2 className="size-4" />
      </Link>
      {onNext !== null && (
        <IconButton label="Next video" size="sm" onClick={onNext}>
          <SkipForward className="size-4" />
        </IconButton>
      )}
      <IconButton label="Close the mini-player" size="sm" onClick={close}>
        <X className="size-4" />
      </IconButton>
    </div>
  )
}
