import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { useEffect, useRef, useState } from 'react'
import { clockDuration } from '../../../ui/duration.ts'
import { usePositionReports } from '../watching/position-reports.ts'
import { storeCurrentTime } from './current-time.ts'
import {
  type EmbeddedPlayer,
  embedPagePlayer,
  findKnownPlayer,
  type PlaybackState,
} from './embedded-players.ts'
import type { PlayRequest } from './play-request.ts'
import { withStartTime } from './start-time.ts'
import { usePlayerState } from './use-player-state.ts'
import { useSpaceKey } from './use-space-key.ts'

export interface PlayerFrameProps {
  bookmark: Bookmark
  title: string
  embedUrl: string
  /** Where the video starts. */
  startSeconds: number
  /** The latest request to play from a time. */
  request: PlayRequest | null
  onState: (state: PlaybackState) => void
}

/**
 * The frame of a player. It starts playback, which the user requested; if the browser blocks that, the player shows its
 * own play button. A later request moves the player to the time; a player that cannot be moved is loaded again.
 */
export function PlayerFrame(props: PlayerFrameProps) {
  const { request, startSeconds } = props
  const [initialSeconds] = useState(startSeconds)
  const [initialRequest] = useState(request)
  const canSeek = createPlayer(props, initialSeconds).seekMessages !== null
  const requestCount = useChangeCount(request)
  return (
    <>
      {canSeek ? (
        <LoadedFrame {...props} startSeconds={initialSeconds} />
      ) : (
        <LoadedFrame key={requestCount} {...props} />
      )}
      <p role="status" className="sr-only">
        {request !== null && request !== initialRequest && `Playing from ${clockDuration(request.seconds)}.`}
      </p>
    </>
  )
}

/** Returns how often a value changed. */
function useChangeCount(value: unknown): number {
  const [state, setState] = useState({ value, count: 0 })
  if (state.value === value) return state.count
  setState({ value, count: state.count + 1 })
  return state.count + 1
}

function createPlayer(
  { bookmark: { id, video, embed_page_url }, embedUrl }: PlayerFrameProps,
  startSeconds: number,
): EmbeddedPlayer {
  const player =
    video.player === 'known'
      ? findKnownPlayer(embedUrl, window.location)
      : embedPagePlayer(embed_page_url ?? `/embed/${id}`, video.start_parameter !== null)
  return { ...player, src: withStartTime(player.src, video.start_parameter, startSeconds) }
}

function LoadedFrame(props: PlayerFrameProps) {
  const { bookmark, title, request, startSeconds, onState } = props
  const { video } = bookmark
  const isKnown = video.player === 'known'
  const frame = useRef<HTMLIFrameElement>(null)
  const player = createPlayer(props, startSeconds)
  const seek = useSeek(frame, player, request, startSeconds)
  const reports = usePositionReports(video.id)
  const pausing = usePauseKey(frame, player)
  const assumedEnd = useAssumedEnd(video.duration, startSeconds, () => onState('assumed-ended'))
  usePlayerState(
    frame,
    player,
    (state) => {
      assumedEnd.cancel()
      if (state === 'playing') seek.onPlaying()
      reports.onState(state)
      onState(state)
    },
    (seconds) => {
      assumedEnd.cancel()
      pausing.onSeconds(seconds)
      storeCurrentTime(bookmark.id, seconds)
      reports.onSeconds(seconds)
    },
  )
  return (
    <iframe
      ref={frame}
      src={player.src}
      title={`Player: ${title}`}
      sandbox={isKnown ? knownSandbox : 'allow-scripts allow-presentation'}
      allow={isKnown ? 'autoplay; fullscreen; picture-in-picture; encrypted-media' : 'autoplay; fullscreen'}
      referrerPolicy="strict-origin-when-cross-origin"
      onLoad={(event) => {
        event.currentTarget.dataset.loaded = ''
      }}
    />
  )
}

/** The longest time that a timer of a browser can wait, in seconds. */
const timerMax = 2_147_483

/** Calls `onEnd` once the duration of a video has passed, unless the player reports anything, which cancels it. */
function useAssumedEnd(duration: number | null, startSeconds: number, onEnd: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(onEnd)
  useEffect(() => {
    latest.current = onEnd
  })
  useEffect(() => {
    const seconds = (duration ?? 0) - startSeconds
    if (seconds <= 0 || seconds > timerMax) return
    timer.current = setTimeout(() => latest.current(), seconds * 1000)
    return () => clearTimeout(timer.current)
  }, [duration, startSeconds])
  return { cancel: () => clearTimeout(timer.current) }
}

/** A player whose time has not changed for so long counts as paused. */
const pauseMs = 2_000

/** Lets the space bar pause the player and continue, if the player takes messages for it. */
function usePauseKey(
  frame: { readonly current: HTMLIFrameElement | null },
  { origin, pauseMessages }: EmbeddedPlayer,
) {
  const latestSeconds = useRef(-1)
  const movedAt = useRef(Number.NEGATIVE_INFINITY)
  const toggle = () => {
    const isPlaying = performance.now() - movedAt.current < pauseMs
    movedAt.current = isPlaying ? Number.NEGATIVE_INFINITY : performance.now()
    const message = isPlaying ? pauseMessages?.pause : pauseMessages?.play
    frame.current?.contentWindow?.postMessage(message, messageTarget(origin))
  }
  useSpaceKey(pauseMessages === null ? null : toggle)
  return {
    onSeconds(seconds: number) {
      if (seconds === latestSeconds.current) return
      latestSeconds.current = seconds
      movedAt.current = performance.now()
    },
  }
}

/** A frame with an opaque origin can only be addressed as `*`. It is on our own site. */
function messageTarget(origin: string | null): string {
  return origin === 'null' ? '*' : (origin ?? '')
}

/** Moves a running player to the time of each new request, or as soon as it plays. */
function useSeek(
  frame: { readonly current: HTMLIFrameElement | null },
  { origin, seekMessages, startsBySeeking }: EmbeddedPlayer,
  request: PlayRequest | null,
  startSeconds: number,
) {
  const pendingSeconds = useRef(startsBySeeking && startSeconds > 0 ? startSeconds : null)
  const handledRequest = useRef(request)
  const send = useRef((_seconds: number) => {})
  useEffect(() => {
    send.current = (seconds) => {
      for (const message of seekMessages?.(seconds) ?? [])
        frame.current?.contentWindow?.postMessage(message, messageTarget(origin))
    }
  })
  useEffect(() => {
    if (request === null || request === handledRequest.current) return
    handledRequest.current = request
    // Before the frame has loaded its page, the browser drops messages.
    if (frame.current?.dataset.loaded === undefined) pendingSeconds.current = request.seconds
    else send.current(request.seconds)
  }, [frame, request])
  return {
    onPlaying() {
      if (pendingSeconds.current !== null) send.current(pendingSeconds.current)
      pendingSeconds.current = null
    },
  }
}

const knownSandbox =
  'allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox'
