/** Decides when the position in a playing video is stored. No I/O. */
import * as limits from '@reelmark/contract/protocol/limits.ts'

const saveIntervalMs = 10_000
/** A position that has not changed for that long belongs to a paused video. */
const pauseMs = 2_000
/** Users who stop earlier only had a look at the video and do not want to resume it. */
const minSeconds = 5

export interface PositionReporter {
  /** Takes the time that the player shows. */
  report: (seconds: number) => void
  /** Stores the latest position now, when the video is paused or the page hidden. */
  flush: () => void
  /** Forgets the latest position and ignores reports until the video plays again. Some players report after the end. */
  end: () => void
  resume: () => void
}

/**
 * Returns a reporter that stores the position every ten seconds, and when the video is paused.
 * @param save stores a position and returns whether to go on: false while the user's history is paused
 */
export function createPositionReporter(save: (seconds: number) => Promise<boolean>): PositionReporter {
  let latest: number | null = null
  let saved: number | null = null
  let savedAt: number | null = null
  let isIgnoring = false
  let isStopped = false
  let pauseTimer: ReturnType<typeof setTimeout> | undefined

  function flush(): void {
    clearTimeout(pauseTimer)
    if (latest === null || latest === saved || isStopped) return
    const seconds = latest
    saved = seconds
    savedAt = Date.now()
    save(seconds).then(
      (mustContinue) => {
        isStopped = !mustContinue
      },
      () => {
        // The next report tries again.
        if (saved === seconds) saved = null
      },
    )
  }

  return {
    flush,
    report(time) {
      const seconds = Math.floor(time)
      if (isIgnoring || isStopped || seconds === latest) return
      if (!(seconds >= minSeconds && seconds <= limits.durationMax)) return
      latest = seconds
      savedAt ??= Date.now()
      if (Date.now() - savedAt >= saveIntervalMs) return flush()
      clearTimeout(pauseTimer)
      pauseTimer = setTimeout(flush, pauseMs)
    },
    end() {
      clearTimeout(pauseTimer)
      latest = null
      saved = null
      isIgnoring = true
    },
    resume() {
      isIgnoring = false
    },
  }
}
