import { useEffect, useRef } from 'react'

/** How far a finger must move, in px. */
const minDistance = 60

/**
 * Goes to the next or previous video when a finger moves to the left or right over the stage or the bar of the queue. Players of
 * other sites keep the touches on their frames. Gestures of several fingers, and moving a page that is zoomed in, are no swipes.
 * Nothing is animated.
 */
export function useSwipe(onNext: () => void, onPrevious: () => void): void {
  const latest = useRef({ onNext, onPrevious })
  useEffect(() => {
    latest.current = { onNext, onPrevious }
  })
  useEffect(() => {
    let start: Touch | undefined
    const onTouchStart = ({ touches, target }: TouchEvent) => {
      const isArea = target instanceof Element && target.closest('.stage-area, .queue-bar') !== null
      start = isArea && touches.length === 1 ? touches[0] : undefined
    }
    const onTouchEnd = ({ changedTouches }: TouchEvent) => {
      const end = changedTouches[0]
      if (start === undefined || end === undefined || isZoomed()) return
      const [dx, dy] = [end.clientX - start.clientX, end.clientY - start.clientY]
      start = undefined
      if (Math.abs(dx) < minDistance || Math.abs(dx) < 2 * Math.abs(dy)) return
      if (dx < 0) latest.current.onNext()
      else latest.current.onPrevious()
    }
    const onTouchCancel = () => {
      start = undefined
    }
    document.addEventListener('touchcancel', onTouchCancel, { passive: true })
    document.addEventListener('touchstart', onTouchStart, { passive: true })
    document.addEventListener('touchend', onTouchEnd, { passive: true })
    return () => {
      document.removeEventListener('touchcancel', onTouchCancel)
      document.removeEventListener('touchstart', onTouchStart)
      document.removeEventListener('touchend', onTouchEnd)
    }
  }, [])
}

function isZoomed(): boolean {
  return (window.visualViewport?.scale ?? 1) > 1
}
