import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import Play from 'lucide-react/icons/play'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useIsAdultCovered } from '../../../shared/adult/adult-consent.ts'
import { AdultGate } from '../../../shared/adult/adult-gate.tsx'
import { useDeferredComponent } from '../../../shared/hooks/use-deferred-component.ts'
import { Placeholder } from '../../../ui/placeholder.tsx'
import type { PlayerState } from './embedded-players.ts'

interface PlayerProps {
  bookmark: Bookmark
  title: string
  /** Someone let the one before play on to this one: a known host's player starts without another press. */
  start?: boolean
  /** Its player is being loaded. */
  onStart?: () => void
  onState?: (state: PlayerState) => void
  /** What lies on the stage. */
  children?: ReactNode
}

/** A video's stage: the player behind its picture, else the picture, else a placeholder; covered while it must be. */
export function Player({
  bookmark,
  title,
  start = false,
  onStart = noop,
  onState = noop,
  children,
}: PlayerProps) {
  const { video } = bookmark
  const covered = useIsAdultCovered(video.orientation)
  const picture = video.thumbnail_large_url ?? video.thumbnail_url
  return (
    <div className={`stage view-player ${video.shape}`}>
      {covered ? (
        <AdultGate title={title} />
      ) : video.embed_url !== null && video.player !== null ? (
        // Another video starts with its own picture again.
        <Facade
          key={bookmark.id}
          bookmark={bookmark}
          title={title}
          embedUrl={video.embed_url}
          start={start}
          onStart={onStart}
          onState={onState}
        />
      ) : picture !== null ? (
        <StageThumbnail src={picture} />
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

const noop = () => {}
const loadFrame = () => import('./player-frame.tsx').then((module) => module.PlayerFrame)

function StageThumbnail({ src }: { src: string }) {
  return (
    <>
      <img src={src} alt="" className="backing" width={1280} height={720} />
      <img src={src} alt="" width={1280} height={720} fetchPriority="high" />
    </>
  )
}

/**
 * Nothing of another site is loaded before a press on play. Known hosts: their player, sandboxed. Others: inside a page
 * of ours without an origin, and the button names the host (docs/behaviour.md, Pages and players).
 */
function Facade({
  bookmark,
  title,
  embedUrl,
  start,
  onStart,
  onState,
}: Required<Omit<PlayerProps, 'children'>> & { embedUrl: string }) {
  const { video } = bookmark
  const known = video.player === 'known'
  const [playing, setPlaying] = useState(start && known)
  const latest = useRef(onStart)
  useEffect(() => {
    if (playing) latest.current()
  }, [playing])
  // Off the first load, and there before anybody presses.
  const Frame = useDeferredComponent(true, loadFrame)
  if (playing && Frame !== null) {
    return <Frame bookmark={bookmark} title={title} embedUrl={embedUrl} onState={onState} />
  }
  const picture = video.thumbnail_large_url ?? video.thumbnail_url
  return (
    <button type="button" className="facade group" onClick={() => setPlaying(true)}>
      {picture === null ? <Placeholder text={title} /> : <StageThumbnail src={picture} />}
      <span className="absolute inset-0 flex flex-col items-center justify-center gap-4">
        <span className="flex size-16 items-center justify-center rounded-full bg-accent text-accent-text transition-colors group-hover:bg-accent-hover sm:size-20">
          <Play className="ml-1 size-7 fill-current sm:size-8" />
        </span>
        {known ? (
          <span className="sr-only">Play {title}</span>
        ) : (
          <span className="mx-4 rounded-control bg-picture-shade px-3 py-1.5 text-center text-13 text-picture-ink">
            Play from {hostName(embedUrl)}
          </span>
        )}
      </span>
    </button>
  )
}

function hostName(url: string): string {
  return URL.canParse(url) ? new URL(url).host.replace(/^www\./, '') : url
}
