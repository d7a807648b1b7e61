import { useEffect, useRef } from 'react'

/** For what takes the place of something that had the focus: the keyboard goes on from there. */
export function useAutofocus<E extends HTMLElement = HTMLDivElement>(enabled = true) {
  const element = useRef<E>(null)
  useEffect(() => {
    if (enabled) element.current?.focus()
  }, [enabled])
  return element
}
