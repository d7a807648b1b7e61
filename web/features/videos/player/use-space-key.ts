import { useEffect, useRef } from 'react'
import { isShortcut } from '../../../ui/shortcuts.ts'

/** Calls the handler for the space bar, unless the focused element uses it. Without a handler, it scrolls the page. */
export function useSpaceKey(handler: (() => void) | null): void {
  const latest = useRef(handler)
  useEffect(() => {
    latest.current = handler
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== ' ' || event.defaultPrevented || event.repeat || latest.current === null) return
      if (!isShortcut(event) || takesSpace(event.target)) return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** Returns whether the space bar has a meaning where the focus is: on a control, or in another widget. */
function takesSpace(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('a, button, summary, video, audio, [role], [tabindex]:not([tabindex="-1"])') !== null
  )
}
