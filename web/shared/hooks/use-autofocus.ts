import { useEffect, useRef } from 'react'

/**
 * Returns the ref of an element that gets the focus when it appears, for an element that replaces the one with the
 * focus.
 */
export function useAutofocus<E extends HTMLElement = HTMLDivElement>(enabled = true) {
  const element = useRef<E>(null)
  useEffect(() => {
    if (enabled) element.current?.focus()
  }, [enabled])
  return element
}
