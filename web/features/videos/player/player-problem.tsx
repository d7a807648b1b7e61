import type { ListingItem } from '@reelmark/contract/listing.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import ExternalLink from 'lucide-react/icons/external-link'
import Flag from 'lucide-react/icons/flag'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import SkipForward from 'lucide-react/icons/skip-forward'
import X from 'lucide-react/icons/x'
import { useSession } from '../../../shared/session/session.ts'
import { Button, buttonClass, IconButton } from '../../../ui/button.tsx'
import { otherSourcesQuery } from '../../listing/public-api.ts'
import { useReport } from '../../moderation/public-api.ts'
import type { NowPlaying } from './now-playing.ts'
import type { PlaybackProblem } from './use-loading-problem.ts'

/** Says what is wrong with a video's player. */
export function problemText(problem: PlaybackProblem, host: string): string {
  switch (problem) {
    case 'silent':
      return "This video isn't loading."
    case 'gone':
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
  onRetry,
  onSkip,
  onClose,
}: PlayerProblemProps) {
  const { video } = bookmark
  const text = problemText(problem, video.host)
  const { data } = useQuery(otherSourcesQuery(bookmark.id))
  const source = data?.results[0]
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
        {source !== undefined && (
          <Link
            to="/bookmarks/$id"
            params={{ id: String(source.id) }}
            className={buttonClass('plain', 'sm', 'max-w-full')}
          >
            <span className="truncate">Play from {source.host}</span>
          </Link>
        )}
        {next !== null && (
          <Button tone="accent" size="sm" onClick={onSkip}>
            <SkipForward className="size-4" />
            <span className="tabular-nums">{skipText}</span>
          </Button>
        )}
        <ReportBroken bookmarkId={bookmark.id} videoId={video.id} title={title} />
      </div>
    </div>
  )
}

/** Opens the report of the bookmark's page with the reason selected. */
function ReportBroken({
  bookmarkId,
  videoId,
  title,
}: {
  bookmarkId: number
  videoId: number
  title: string
}) {
  const isSignedIn = useSession().status === 'signed-in'
  const { item, dialog } = useReport({
    kind: 'video',
    id: videoId,
    bookmarkId,
    reportType: 'broken_embed',
    title: 'Report Video/Bookmark',
    name: title,
  })
  if (!isSignedIn) return null
  return (
    <>
      <Button size="sm" aria-haspopup="dialog" onClick={item.onSelect}>
        <Flag className="size-4" />
        Report broken link
      </Button>
      {dialog}
    </>
  )
}
