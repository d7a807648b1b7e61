import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useIsAdultCovered } from '../../../shared/adult/adult-consent.ts'
import { useShortcuts } from '../../../ui/shortcuts.ts'
import { useAutoplayNext } from '../watching/autoplay-next.ts'
import { markUnplayable } from '../watching/unplayable-videos.ts'
import { useCountdown } from '../watching/use-countdown.ts'
import { usePlayQueue } from '../watching/use-play-queue.ts'
import type { PlaybackState } from './embedded-players.ts'
import { MiniPlayerBar } from './mini-player-bar.tsx'
import { type NowPlaying, stopVideo, useStage } from './now-playing.ts'
import { usePlayRequest } from './play-request.ts'
import { PlayerFrame } from './player-frame.tsx'
import { PlayerProblem, problemText } from './player-problem.tsx'
import { toggleFullscreen } from './toggle-fullscreen.ts'
import { useContinue } from './use-continue.ts'
import type { PlaybackProblem } from './use-loading-problem.ts'
import { usePlacement } from './use-placement.ts'
import { usePlayNext } from './use-play-next.ts'

/** How long a list waits before it skips a player that fails. */
const skipSeconds = 10
/** A player that reports its time but has not moved for so long counts as paused. */
const pauseMs = 4_000

export interface ShellPlayerProps {
  playing: NowPlaying
  /** Renders further buttons for a player that fails, from other areas. */
  renderMore: (playing: NowPlaying) => ReactNode
}

/**
 * The player of the site: over the stage of the page that shows its bookmark, elsewhere as the mini-player in the corner. The
 * frame stays the same element, because a frame that is moved in the document loads again.
 */
export function ShellPlayer({ playing, renderMore }: ShellPlayerProps) {
  const { bookmark, context } = playing
  const section = useRef<HTMLElement>(null)
  const stage = useStage()
  const isDocked = stage === null
  const request = usePlayRequest(bookmark.id)
  const [attempt, setAttempt] = useState(0)
  const key = `${bookmark.id} ${attempt}`
  const [reported, setReported] = useState<{ key: string; problem: PlaybackProblem | null }>()
  /** The problem whose message the user closed. Players may report one again and again. */
  const [closed, setClosed] = useState('')
  const latest = reported?.key === key ? reported.problem : null
  const problem = closed === `${key} ${latest}` ? null : latest
  const view = usePlayQueue(bookmark.id, context)
  const following = view?.following ?? []
  const next = view?.next ?? null
  const autoplays = useAutoplayNext()
  const playNext = usePlayNext(playing)
  const continueAfterEnd = useContinue(playing, view)
  const activity = useActivity(bookmark.id)
  const isCovered = useIsAdultCovered(bookmark.video.orientation)
  usePlacement(section, stage?.element ?? null)
  useDocking(isDocked, () => playing.canDock && problem === null && activity.isPlaying())
  useEffect(() => {
    // The age confirmation was withdrawn.
    if (isCovered) stopVideo()
  }, [isCovered])
  useEffect(() => {
    // The focus was on the play button, which has been replaced by the player.
    if (!isDocked && document.activeElement === document.body) section.current?.focus({ preventScroll: true })
  }, [isDocked])
  useShortcuts({ f: () => toggleFullscreen(section.current) })

  function onState(state: PlaybackState): void {
    activity.onState(state)
    if (state === 'playing') setReported({ key, problem: null })
    if (stage !== null) stage.onState(state)
    else if (state === 'ended') void continueAfterEnd()
  }

  function goToNext(): void {
    if (stage === null) void playNext(following)
    else if (next !== null) stage.goTo(next)
  }
  function skip(): void {
    markUnplayable(bookmark.id)
    goToNext()
  }
  const isSkipping = problem !== null && next !== null && autoplays
  const secondsLeft = useCountdown(skipSeconds, isSkipping, skip)

  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={isDocked ? 'Mini-player' : 'Player'}
      className={`shell-player ${isDocked ? 'docked' : ''}`}
    >
      <PlayerFrame
        key={key}
        playing={playing}
        request={request}
        isDocked={isDocked}
        onState={onState}
        onProblem={(problem) => setReported({ key, problem })}
        onMove={activity.onMove}
      />
      {problem !== null && !isDocked && (
        <PlayerProblem
          playing={playing}
          problem={problem}
          next={next}
          secondsLeft={isSkipping ? secondsLeft : null}
          // Secret links and moderators' cases have buttons of their own; these would not find a private bookmark.
          more={playing.canDock ? renderMore(playing) : null}
          onRetry={() => setAttempt(attempt + 1)}
          onSkip={skip}
          onClose={() => setClosed(`${key} ${problem}`)}
        />
      )}
      {isDocked && (
        <MiniPlayerBar
          playing={playing}
          problem={problem === null ? null : problemText(problem, bookmark.video.host)}
          onNext={next === null ? null : goToNext}
        />
      )}
    </section>
  )
}

/** Stops a video when its page is left, unless it may continue in the mini-player. */
function useDocking(isDocked: boolean, mayDock: () => boolean): void {
  const latest = useRef(mayDock)
  useEffect(() => {
    latest.current = mayDock
  })
  useEffect(() => {
    if (isDocked && !latest.current()) stopVideo()
  }, [isDocked])
}

/** Follows whether a video is playing. A player that does not report its time counts as playing until it ended. */
function useActivity(bookmarkId: number) {
  const state = useRef({ hasEnded: false, movedAt: null as number | null })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each video starts without a state.
  useEffect(() => {
    state.current = { hasEnded: false, movedAt: null }
  }, [bookmarkId])
  return {
    onMove() {
      state.current.movedAt = performance.now()
    },
    onState(latest: PlaybackState) {
      state.current.hasEnded = latest !== 'playing'
    },
    isPlaying(): boolean {
      const { hasEnded, movedAt } = state.current
      return !hasEnded && (movedAt === null || performance.now() - movedAt < pauseMs)
    },
  }
}
