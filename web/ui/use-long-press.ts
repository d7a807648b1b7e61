import {
  type DragEvent,
  type PointerEvent,
  type MouseEvent as ReactMouseEvent,
  useEffect,
  useRef,
} from 'react'

/** Where browsers stop calling it a tap. */
const holdMs = 500
/** A finger that moves further scrolls. In px. */
const moveTolerancePx = 10

/**
 * Handlers for pressing and holding with a finger, in the place of the browser's own menu. Scrolling goes on as ever:
 * nothing is prevented until the finger has been still for half a second. Where the browser tells of a long press by a
 * contextmenu event (Android) that counts, else the time does (iOS, with `-webkit-touch-callout: none`).
 */
export function useLongPress(onLongPress: () => void) {
  const press = useRef<{ x: number; y: number; timer: ReturnType<typeof setTimeout> } | null>(null)
  const held = useRef(false)

  const end = () => {
    clearTimeout(press.current?.timer)
    press.current = null
  }
  useEffect(() => () => clearTimeout(press.current?.timer), [])

  function hold(): void {
    if (held.current) return
    held.current = true
    ignoreNextClick()
    onLongPress()
  }

  return {
    onPointerDown: (event: PointerEvent) => {
      end()
      held.current = false
      if (event.pointerType !== 'touch' || !event.isPrimary) return
      press.current = { x: event.clientX, y: event.clientY, timer: setTimeout(hold, holdMs) }
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      const from = press.current
      if (from !== null && Math.hypot(clientX - from.x, clientY - from.y) > moveTolerancePx) end()
    },
    onPointerUp: end,
    onPointerCancel: end,
    onContextMenu: (event: ReactMouseEvent) => {
      if (press.current === null) return
      event.preventDefault()
      hold()
    },
    onDragStart: (event: DragEvent) => {
      if (press.current !== null) event.preventDefault()
    },
  }
}

/**
 * The click that follows lifting the finger is not meant, whatever is there by then: what opened under the finger would
 * be closed by it, or pressed. It comes before the next press, or not at all.
 */
function ignoreNextClick(): void {
  const ignore = (event: MouseEvent) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    stop()
  }
  const stop = () => {
    window.removeEventListener('click', ignore, true)
    window.removeEventListener('pointerdown', stop, true)
    window.removeEventListener('keydown', stop, true)
  }
  window.addEventListener('click', ignore, true)
  window.addEventListener('pointerdown', stop, true)
  window.addEventListener('keydown', stop, true)
}
