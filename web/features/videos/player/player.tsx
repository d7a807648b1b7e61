import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import Play from 'lucide-react/icons/play'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useIsAdultCovered } from '../../../shared/adult/adult-consent.ts'
import { AdultGate } from '../../../shared/adult/adult-gate.tsx'
import { Placeholder } from '../../../ui/placeholder.tsx'
import { useRequiredComponent } from '../../../ui/use-deferred-component.ts'
import type { PlayContext } from '../watching/play-queue.ts'
import type { PlaybackState } from './embedded-players.ts'
import {
  changeContext,
  getNowPlaying,
  offerStage,
  startVideo,
  stopVideo,
  useNowPlaying,
} from './now-playing.ts'

interface PlayerProps {
  bookmark: Bookmark
  title: string
  /** Whether playback continued from the previous video, so that a known host's player starts without a click. */
  start?: boolean
  /** Runs when the player is being loaded. */
  onStart?: () => void
  onState?: (state: PlaybackState) => void
  /** The list that is played. */
  context?: PlayContext
  /** Goes on to another bookmark of the list. */
  goTo?: (item: { id: number }) => void
  /** Whether the video continues in the mini-player when the page is left. */
  canDock?: boolean
  /** Shown on top of the video. */
  children?: ReactNode
}

/**
 * Shows a video: its player behind the thumbnail, else the thumbnail, else a placeholder. Adult content is concealed
 * until age is confirmed. The player itself is the one of the shell, placed over this stage.
 */
export function Player({
  bookmark,
  title,
  start = false,
  onStart = doNothing,
  onState = doNothing,
  context = noContext,
  goTo = doNothing,
  canDock = false,
  children,
}: PlayerProps) {
  const { video } = bookmark
  const isCovered = useIsAdultCovered(video.orientation)
  const thumbnail = video.thumbnail_large_url ?? video.thumbnail_url
  const isPlaying = useNowPlaying()?.bookmark.id === bookmark.id
  const stage = useRef<HTMLDivElement>(null)
  const latest = useRef({ onState, goTo })
  useEffect(() => {
    latest.current = { onState, goTo }
  })
  useEffect(() => {
    if (stage.current === null) return
    const withdraw = offerStage({
      bookmarkId: bookmark.id,
      element: stage.current,
      onState: (state) => latest.current.onState(state),
      goTo: (item) => latest.current.goTo(item),
    })
    return () => {
      withdraw()
      if (!canDock && getNowPlaying()?.bookmark.id === bookmark.id) stopVideo()
    }
  }, [bookmark.id, canDock])
  useEffect(() => {
    if (isPlaying) changeContext(context)
  }, [isPlaying, context])
  return (
    <div ref={stage} className={`stage view-player ${video.shape}`} data-playing={isPlaying || undefined}>
      {isCovered ? (
        <AdultGate title={title} />
      ) : video.embed_url !== null && video.player !== null ? (
        // The key resets the state when another video is shown.
        <Facade
          key={bookmark.id}
          bookmark={bookmark}
          title={title}
          embedUrl={video.embed_url}
          isPlaying={isPlaying}
          start={start}
          onStart={onStart}
          context={context}
          canDock={canDock}
        />
      ) : thumbnail !== null ? (
        <StageThumbnail src={thumbnail} />
      ) : (
        <>
          <Placeholder text={title} />
          <p className="absolute inset-0 flex items-center justify-center">
            <span className="rounded-control bg-picture-shade px-3 py-1.5 text-13 text-picture-ink">
              No Video Preview Available
            </span>
          </p>
        </>
      )}
      {children}
    </div>
  )
}

const doNothing = () => {}
const noContext: PlayContext = {}
const loadPlayer = () => import('./lazy-player.tsx').then((module) => module.LazyPlayer)

function StageThumbnail({ src }: { src: string }) {
  return (
    <>
      <img src={src} alt="" className="backing" width={1280} height={720} />
      <img src={src} alt="" width={1280} height={720} fetchPriority="high" />
    </>
  )
}

/**
 * Shows the thumbnail with a play button, and the player after a click: nothing is loaded from other sites before.
 * Players of known hosts are sandboxed. Others are shown inside our page with an opaque origin, and the button names
 * the host (docs/behaviour.md, Pages and players).
 */
function Facade({
  bookmark,
  title,
  embedUrl,
  isPlaying,
  start,
  onStart,
  context,
  canDock,
}: Required<Pick<PlayerProps, 'bookmark' | 'title' | 'start' | 'onStart' | 'context' | 'canDock'>> & {
  embedUrl: string
  isPlaying: boolean
}) {
  const { video } = bookmark
  const isKnown = video.player === 'known'
  const [isPressed, setPressed] = useState(start && isKnown)
  const latest = useRef(onStart)
  useEffect(() => {
    if (isPlaying) latest.current()
  }, [isPlaying])
  const play = useCallback(
    (startSeconds: number) => {
      setPressed(false)
      startVideo({ bookmark, title, embedUrl, startSeconds, context, canDock })
    },
    [bookmark, title, embedUrl, context, canDock],
  )
  // Loaded separately from the page, but before the user clicks.
  const LazyPlayer = useRequiredComponent(true, loadPlayer)
  useEffect(() => {
    // Nothing else is lost than the place to continue at.
    if (LazyPlayer === 'failed' && isPressed) play(bookmark.start_seconds ?? 0)
  }, [LazyPlayer, isPressed, play, bookmark])
  const thumbnail = video.thumbnail_large_url ?? video.thumbnail_url
  return (
    <>
      {!isPlaying && (
        <button type="button" className="facade" onClick={() => setPressed(true)}>
          {thumbnail === null ? <Placeholder text={title} /> : <StageThumbnail src={thumbnail} />}
          <span className="facade-sign">
            <span className="facade-play">
              <Play />
            </span>
            {isKnown ? (
              <span className="sr-only">Play {title}</span>
            ) : (
              <span className="mx-4 rounded-control bg-picture-shade px-3 py-1.5 text-center text-13 text-picture-ink">
                Play from {hostName(embedUrl)}
              </span>
            )}
          </span>
        </button>
      )}
      {LazyPlayer !== null && LazyPlayer !== 'failed' && (
        <LazyPlayer bookmark={bookmark} isPlaying={isPlaying} play={play} isPressed={isPressed} />
      )}
    </>
  )
}

function hostName(url: string): string {
  return URL.canParse(url) ? new URL(url).host.replace(/^www\./, '') : url
}
