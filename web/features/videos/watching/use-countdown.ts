import { useEffect, useRef, useState } from 'react'

/** Returns whether the user is typing or a dialog is open. */
function isUserBusy(): boolean {
  return (
    document.querySelector('dialog[open]') !== null ||
    document.activeElement?.matches('input, textarea, select, [contenteditable]') === true
  )
}

/**
 * Counts down while it is active, and calls `onEnd` at 0. Typing and open dialogs pause it; deactivating it resets it.
 * @returns the seconds left
 */
export function useCountdown(seconds: number, isActive: boolean, onEnd: () => void): number {
  const [secondsLeft, setSecondsLeft] = useState(seconds)
  const latest = useRef(onEnd)
  useEffect(() => {
    latest.current = onEnd
  })
  useEffect(() => {
    if (!isActive) return
    const timer = setInterval(() => {
      if (!isUserBusy()) setSecondsLeft((count) => count - 1)
    }, 1_000)
    return () => {
      clearInterval(timer)
      setSecondsLeft(seconds)
    }
  }, [isActive, seconds])
  useEffect(() => {
    if (isActive && secondsLeft === 0) latest.current()
  }, [isActive, secondsLeft])
  return Math.max(0, secondsLeft)
}
