import { type PointerEvent, useEffect, useState } from 'react'

/**
 * Calls `onOver` after a time, paused while the pointer is over the element or the focus is in it, so that users can
 * follow its link.
 * @returns the event handlers of the element.
 */
export function usePausableTimeout(running: boolean, ms: number, onOver: () => void) {
  const [isPaused, setPaused] = useState(false)
  useEffect(() => {
    if (!running || isPaused) return
    const timer = setTimeout(onOver, ms)
    return () => clearTimeout(timer)
  }, [running, isPaused, ms, onOver])
  return {
    // Only a moving pointer counts: the element may have appeared below a resting one.
    onPointerMove: ({ movementX, movementY }: PointerEvent) => {
      if (movementX !== 0 || movementY !== 0) setPaused(true)
    },
    onPointerLeave: () => setPaused(false),
    onFocus: () => setPaused(true),
    onBlur: () => setPaused(false),
  }
}
