import { useEffect, useRef } from 'react'
import type { ReportedProblem } from './player-protocols.ts'

/** `silent`: nothing came from the player in time. It may still come. */
export type PlaybackProblem = ReportedProblem | 'silent'

/** How long a player may take until it shows a sign of life. */
export const silenceMs = 8_000

/** Reports that a player does not load, and takes it back if it does later. What the player itself reports stays. */
export function useLoadingProblem(onProblem: (problem: PlaybackProblem | null) => void) {
  const latest = useRef(onProblem)
  useEffect(() => {
    latest.current = onProblem
  })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isSilent = useRef(false)
  useEffect(() => {
    timer.current = setTimeout(() => {
      isSilent.current = true
      latest.current('silent')
    }, silenceMs)
    return () => clearTimeout(timer.current)
  }, [])
  return {
    onAlive() {
      clearTimeout(timer.current)
      if (isSilent.current) latest.current(null)
      isSilent.current = false
    },
    report(problem: ReportedProblem) {
      latest.current(problem)
    },
  }
}
