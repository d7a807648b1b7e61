import type { ListingItem } from '@reelmark/contract/listing.ts'
import ExternalLink from 'lucide-react/icons/external-link'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import SkipForward from 'lucide-react/icons/skip-forward'
import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import { Button, buttonClass, IconButton } from '../../../ui/button.tsx'
import type { NowPlaying } from './now-playing.ts'
import type { PlaybackProblem } from './use-loading-problem.ts'

/** Says what is wrong with a video's player. */
export function problemText(problem: PlaybackProblem, host: string): string {
  switch (problem) {
    case 'silent':
      return "This video isn't loading."
    case 'missing':
      return `This video is no longer available on ${host}.`
    case 'forbidden':
      return `This video can only be watched on ${host}.`
    case 'failed':
      return "This video can't be played here."
  }
}

interface PlayerProblemProps {
  playing: NowPlaying
  problem: PlaybackProblem
  /** The next video of the list. */
  next: ListingItem | null
  /** When it is skipped; null: not automatically. */
  secondsLeft: number | null
  /** Further buttons, from other areas. */
  more: ReactNode
  onRetry: () => void
  onSkip: () => void
  onClose: () => void
}

/** Shown over a player that does not play: what is wrong, and what can be done. */
export function PlayerProblem({
  playing: { bookmark, title },
  problem,
  next,
  secondsLeft,
  more,
  onRetry,
  onSkip,
  onClose,
}: PlayerProblemProps) {
  const { video } = bookmark
  const text = problemText(problem, video.host)
  const skipText = secondsLeft === null ? 'Skip' : `Skip in ${secondsLeft} s`
  return (
    <div className="player-problem">
      <IconButton label="Hide this message" tone="plain" size="sm" onClick={onClose}>
        <X className="size-4" />
      </IconButton>
      <p className="text-16 font-medium sm:text-20">{text}</p>
      <p role="alert" className="sr-only">
        {title}: {text}
        {secondsLeft !== null && next !== null && ` ${next.title || 'Untitled Bookmark'} plays next.`}
      </p>
      <div className="flex max-w-full flex-wrap justify-center gap-2">
        <Button size="sm" onClick={onRetry}>
          <RotateCcw className="size-4" />
          Retry
        </Button>
        <a
          href={video.source_url}
          target="_blank"
          rel="noopener nofollow ugc"
          className={buttonClass('plain', 'sm', 'max-w-full')}
        >
          <span className="truncate">Watch on {video.host}</span>
          <ExternalLink className="size-4 shrink-0" />
          <span className="sr-only">(opens in a new tab)</span>
        </a>
        {next !== null && (
          <Button tone="accent" size="sm" onClick={onSkip}>
            <SkipForward className="size-4" />
            <span className="tabular-nums">{skipText}</span>
          </Button>
        )}
        {more}
      </div>
    </div>
  )
}
