import { type ReactNode, type RefCallback, useCallback, useEffect, useRef } from 'react'
import { SectionTitle } from '../../../ui/section-title.tsx'

/** The heading of what is shown, which can be focused. */
export function Heading({
  id,
  heading,
  children,
}: {
  id: string
  heading: RefCallback<HTMLHeadingElement>
  children: ReactNode
}) {
  return (
    <SectionTitle ref={heading} id={id} tabIndex={-1} className="wrap-anywhere outline-none">
      {children}
    </SectionTitle>
  )
}

/**
 * Moves the focus to the heading after a step, because the followed link disappeared. The header of a collection renders the
 * heading again once it is loaded, which keeps the focus.
 */
export function useHeadingFocus(container: string): RefCallback<HTMLHeadingElement> {
  const heading = useRef<HTMLHeadingElement>(null)
  const wasFocused = useRef(false)
  const previous = useRef(container)
  useEffect(() => {
    if (previous.current === container) return
    previous.current = container
    heading.current?.focus({ preventScroll: true })
  }, [container])
  return useCallback((element: HTMLHeadingElement) => {
    heading.current = element
    if (wasFocused.current) element.focus({ preventScroll: true })
    return () => {
      wasFocused.current = document.activeElement === element
    }
  }, [])
}
