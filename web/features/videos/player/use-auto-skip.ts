import { useEffect, useRef, useState } from 'react'
import { isUserBusy } from '../watching/is-user-busy.ts'

const skipSeconds = 10

/**
 * Counts down to skipping a video that does not play. Typing and open dialogs pause it.
 * @returns the seconds left; null if nothing is skipped
 */
export function useAutoSkip(isActive: boolean, onSkip: () => void): number | null {
  const [secondsLeft, setSecondsLeft] = useState(skipSeconds)
  const latest = useRef(onSkip)
  useEffect(() => {
    latest.current = onSkip
  })
  useEffect(() => {
    if (!isActive) return
    const timer = setInterval(() => {
      if (!isUserBusy()) setSecondsLeft((count) => count - 1)
    }, 1_000)
    return () => {
      clearInterval(timer)
      setSecondsLeft(skipSeconds)
    }
  }, [isActive])
  useEffect(() => {
    if (isActive && secondsLeft === 0) latest.current()
  }, [isActive, secondsLeft])
  return isActive ? Math.max(0, secondsLeft) : null
}
