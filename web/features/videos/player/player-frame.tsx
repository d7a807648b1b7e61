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
import type { NowPlaying } from './now-playing.ts'
import type { PlayRequest } from './play-request.ts'
import { withStartTime } from './start-time.ts'
import { type PlaybackProblem, useLoadingProblem } from './use-loading-problem.ts'
import { usePlayerState } from './use-player-state.ts'
import { useSpaceKey } from './use-space-key.ts'

interface PlayerFrameProps {
  playing: NowPlaying
  /** The latest request to play from a time. */
  request: PlayRequest | null
  /** Whether it is the mini-player. Then the space bar belongs to the page. */
  isDocked: boolean
  onState: (state: PlaybackState) => void
  onProblem: (problem: PlaybackProblem | null) => void
  /** Runs when the player reports another time. */
  onMove: () => void
}

/**
 * The frame of a player. It starts playback, which the user requested; if the browser blocks that, the player shows its
 * own play button. A later request moves the player to the time; a player that cannot be moved is loaded again.
 */
export function PlayerFrame(props: PlayerFrameProps) {
  const { playing, request } = props
  const canSeek = createPlayer(playing, playing.startSeconds).seekMessages !== null
  const { latest, count } = useRequestCount(request)
  return (
    <>
      <LoadedFrame
        key={canSeek ? 0 : count}
        {...props}
        request={latest}
        startSeconds={canSeek || latest === null ? playing.startSeconds : latest.seconds}
      />
      <p role="status" className="sr-only">
        {latest !== null && `Playing from ${clockDuration(latest.seconds)}.`}
      </p>
    </>
  )
}

/** Returns the last request and the number of requests. */
function useRequestCount(request: PlayRequest | null): { latest: PlayRequest | null; count: number } {
  const [state, setState] = useState({ latest: request, count: 0 })
  if (request === null || state.latest === request) return state
  const next = { latest: request, count: state.count + 1 }
  setState(next)
  return next
}

function createPlayer({ bookmark, embedUrl }: NowPlaying, startSeconds: number): EmbeddedPlayer {
  const { id, video, embed_page_url } = bookmark
  const player =
    video.player === 'known'
      ? findKnownPlayer(embedUrl, window.location)
      : embedPagePlayer(embed_page_url ?? `/embed/${id}`, video.start_parameter !== null)
  return { ...player, src: withStartTime(player.src, video.start_parameter, startSeconds) }
}

function LoadedFrame({
  playing,
  request,
  isDocked,
  startSeconds,
  onState,
  onProblem,
  onMove,
}: PlayerFrameProps & { startSeconds: number }) {
  const { bookmark, title } = playing
  const { video } = bookmark
  const frame = useRef<HTMLIFrameElement>(null)
  const player = createPlayer(playing, startSeconds)
  const seek = useSeek(frame, player, request, startSeconds)
  const reports = usePositionReports(video.id)
  const pausing = usePauseKey(frame, player, isDocked)
  const assumedEnd = useAssumedEnd(video.duration, startSeconds, () => onState('assumed-ended'))
  const onAlive = useLoadingProblem(onProblem)
  usePlayerState(frame, player, {
    onMessage: onAlive,
    onProblem,
    onState(state) {
      assumedEnd.cancel()
      if (state === 'playing') seek.onPlaying()
      reports.onState(state)
      onState(state)
    },
    onSeconds(seconds) {
      assumedEnd.cancel()
      if (pausing.onSeconds(seconds)) onMove()
      storeCurrentTime(bookmark.id, seconds)
      reports.onSeconds(seconds)
    },
  })
  return (
    <iframe
      ref={frame}
      src={player.src}
      title={`Player: ${title}`}
      {...player.rules}
      onLoad={(event) => {
        event.currentTarget.dataset.loaded = ''
        // Players that send messages are alive once they send one; an error page of the browser loads, too.
        if (player.origin === null) onAlive()
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
/** For so long after it was paused, a player can still report a time from before. */
const lateTimeMs = 1_000

/** Lets the space bar pause the player and continue, if the player takes messages for it. */
function usePauseKey(
  frame: { readonly current: HTMLIFrameElement | null },
  { origin, pauseMessages }: EmbeddedPlayer,
  isDocked: boolean,
) {
  const latestSeconds = useRef(-1)
  const movedAt = useRef(Number.NEGATIVE_INFINITY)
  const pausedAt = useRef(Number.NEGATIVE_INFINITY)
  const toggle = () => {
    const now = performance.now()
    const isPlaying = now - movedAt.current < pauseMs
    movedAt.current = isPlaying ? Number.NEGATIVE_INFINITY : now
    pausedAt.current = isPlaying ? now : Number.NEGATIVE_INFINITY
    const message = isPlaying ? pauseMessages?.pause : pauseMessages?.play
    frame.current?.contentWindow?.postMessage(message, messageTarget(origin))
  }
  useSpaceKey(pauseMessages === null || isDocked ? null : toggle)
  return {
    /** Takes the time that the player reports, and returns whether it moved. */
    onSeconds(seconds: number): boolean {
      if (seconds === latestSeconds.current) return false
      latestSeconds.current = seconds
      const now = performance.now()
      if (now - pausedAt.current >= lateTimeMs) movedAt.current = now
      return true
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
