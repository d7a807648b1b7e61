import { useEffect, useRef } from 'react'

/**
 * Returns the ref of the button that opens a form. It gets the focus when the form with the focus disappears, unless another
 * form opens.
 */
export function useFocusOnClose(isOpen: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    // The browser moves the focus to the body when the focused element is removed.
    if (wasOpen.current && !isOpen && document.activeElement === document.body) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return button
}
