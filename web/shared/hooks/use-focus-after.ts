import { type RefObject, useCallback, useRef } from 'react'

/**
 * Returns a ref and a function that moves the focus to its element after the next render: for an element that appears,
 * or is enabled again, because of the action that just ended.
 *
 *   const [button, focusButton] = useFocusAfter<HTMLButtonElement>()
 */
export function useFocusAfter<E extends HTMLElement = HTMLElement>(): [
  element: RefObject<E | null>,
  focus: () => void,
] {
  const element = useRef<E>(null)
  const focus = useCallback(() => {
    setTimeout(() => element.current?.focus())
  }, [])
  return [element, focus]
}
