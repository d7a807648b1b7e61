import { type RefObject, useEffect, useRef } from 'react'

/** A movement of this many px decides whether it is a swipe. */
const slop = 8
/** A swipe closes the dialog if it is this long in px, or shorter and fast in px per ms. */
const minDistance = 96
const minFlick = { distance: 32, speed: 0.5 }

interface Swipe {
  x: number
  y: number
  time: number
  /** How far the dialog was moved, in px; null until it is known that the finger swipes and does not scroll. */
  offset: number | null
}

/**
 * Closes a dialog that is a sheet when a finger swipes it away: down at the lower edge of a phone, to the right at the right
 * edge. The dialog follows the finger, unless motion is reduced. A finger that scrolls the content, or moves in another
 * direction, does what it does anywhere else.
 */
export function useSwipeToClose(
  dialog: RefObject<HTMLDialogElement | null>,
  open: boolean,
  onClose: () => void,
): void {
  const latest = useRef(onClose)
  useEffect(() => {
    latest.current = onClose
  })
  useEffect(() => {
    const element = dialog.current
    if (!open || element === null) return
    let swipe: Swipe | null = null

    const isSideways = element.classList.contains('side')
    const moveTo = (px: number) => {
      if (hasReducedMotion()) return
      element.style.transition = 'none'
      element.style.transform = isSideways ? `translateX(${px}px)` : `translateY(${px}px)`
    }
    const release = () => {
      swipe = null
      element.style.removeProperty('transition')
      element.style.removeProperty('transform')
    }
    const onStart = ({ touches, target, timeStamp }: TouchEvent) => {
      const [touch] = touches
      const isSheet = isSideways || (window.matchMedia?.('(max-width: 639px)').matches ?? false)
      if (!isSheet || touch === undefined || touches.length > 1 || !canSwipe(target, element, isSideways)) {
        return release()
      }
      swipe = { x: touch.clientX, y: touch.clientY, time: timeStamp, offset: null }
    }
    const onMove = (event: TouchEvent) => {
      const [touch] = event.touches
      if (swipe === null || touch === undefined) return
      const [dx, dy] = [touch.clientX - swipe.x, touch.clientY - swipe.y]
      const [along, across] = isSideways ? [dx, dy] : [dy, dx]
      if (swipe.offset === null) {
        if (Math.max(Math.abs(along), Math.abs(across)) < slop) return
        if (along < Math.abs(across)) return release()
      }
      // Neither scrolls nor reloads the page.
      if (event.cancelable) event.preventDefault()
      swipe.offset = Math.max(0, along)
      moveTo(swipe.offset)
    }
    const onEnd = ({ timeStamp }: TouchEvent) => {
      const { offset = null, time = 0 } = swipe ?? {}
      if (offset === null) return release()
      const isFlick = offset >= minFlick.distance && offset / Math.max(1, timeStamp - time) >= minFlick.speed
      if (offset >= minDistance || isFlick) latest.current()
      // After the dialog closed, so that it moves on from here.
      requestAnimationFrame(release)
    }
    element.addEventListener('touchstart', onStart, { passive: true })
    element.addEventListener('touchmove', onMove, { passive: false })
    element.addEventListener('touchend', onEnd)
    element.addEventListener('touchcancel', release)
    return () => {
      element.removeEventListener('touchstart', onStart)
      element.removeEventListener('touchmove', onMove)
      element.removeEventListener('touchend', onEnd)
      element.removeEventListener('touchcancel', release)
    }
  }, [dialog, open])
}

function hasReducedMotion(): boolean {
  return (
    document.documentElement.dataset.motion === 'reduce' ||
    (window.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false)
  )
}

/** Returns whether a touch does not begin on what is scrolled or has a use for swipes itself. */
function canSwipe(target: EventTarget | null, dialog: Element, isSideways: boolean): boolean {
  if (!(target instanceof Element)) return false
  if (target.closest('input, textarea, select, iframe, [draggable="true"], [aria-roledescription]') !== null)
    return false
  for (let element: Element | null = target; element !== null && element !== dialog; ) {
    if ((isSideways ? element.scrollLeft : element.scrollTop) > 0) return false
    element = element.parentElement
  }
  return true
}
