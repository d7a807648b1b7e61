import {
  type DragEvent,
  type PointerEvent,
  type MouseEvent as ReactMouseEvent,
  useEffect,
  useRef,
} from 'react'

/** Milliseconds after which a touch is a long press instead of a tap, as in browsers. */
const holdMs = 500
/** Pixels a touch may move before it counts as scrolling. */
const moveTolerancePx = 10

/**
 * Returns handlers for a long press by touch, which replaces the browser's context menu. Scrolling is not affected,
 * because nothing is prevented until the touch has been still for half a second. Android reports a long press with a
 * contextmenu event; iOS does not, so a timer detects it (with `-webkit-touch-callout: none`).
 */
export function useLongPress(onLongPress: () => void) {
  const press = useRef<{ x: number; y: number; timer: ReturnType<typeof setTimeout> } | null>(null)
  const isHeld = useRef(false)

  const end = () => {
    clearTimeout(press.current?.timer)
    press.current = null
  }
  useEffect(() => () => clearTimeout(press.current?.timer), [])

  function hold(): void {
    if (isHeld.current) return
    isHeld.current = true
    ignoreNextClick()
    onLongPress()
  }

  return {
    onPointerDown: (event: PointerEvent) => {
      end()
      isHeld.current = false
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
 * Suppresses the click that follows lifting the finger after a long press. It would close or press what opened under the
 * finger. The click comes before the next press, or not at all.
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
