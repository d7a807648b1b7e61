import { useEffect, useRef } from 'react'
import type { ReportedProblem } from './player-protocols.ts'

/** `silent`: nothing came from the player in time. It may still come. */
export type PlaybackProblem = ReportedProblem | 'silent'

/** How long a player may take until it shows a sign of life. */
const silenceMs = 8_000

/**
 * Reports that a player does not load, and takes it back if it does later.
 * @returns a function to call when the player shows a sign of life
 */
export function useLoadingProblem(onProblem: (problem: 'silent' | null) => void): () => void {
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
  return () => {
    clearTimeout(timer.current)
    if (isSilent.current) latest.current(null)
    isSilent.current = false
  }
}
