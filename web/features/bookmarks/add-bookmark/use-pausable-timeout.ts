import { type PointerEvent, useEffect, useState } from 'react'

/**
 * Calls back after a while, but not while someone points at the element or has the focus in it: whoever is about to
 * follow a link there is not robbed of it.
 * @returns what the element listens with.
 */
export function usePausableTimeout(running: boolean, ms: number, onOver: () => void) {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (!running || held) return
    const timer = setTimeout(onOver, ms)
    return () => clearTimeout(timer)
  }, [running, held, ms, onOver])
  return {
    // A pointer that rests where the element appears has not been put there; only one that moves is meant.
    onPointerMove: ({ movementX, movementY }: PointerEvent) => {
      if (movementX !== 0 || movementY !== 0) setHeld(true)
    },
    onPointerLeave: () => setHeld(false),
    onFocus: () => setHeld(true),
    onBlur: () => setHeld(false),
  }
}
