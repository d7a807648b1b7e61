import { type RefObject, useLayoutEffect } from 'react'

/**
 * Keeps an element exactly over another one, which stays in the flow of the page. Both scroll together, because the element
 * is positioned in the document. Without a target its place is that of the style sheet.
 */
export function usePlacement(element: RefObject<HTMLElement | null>, target: HTMLElement | null): void {
  useLayoutEffect(() => {
    const placed = element.current
    if (placed === null || target === null) return
    const align = () => {
      const { top, left, width, height } = target.getBoundingClientRect()
      const origin = placed.offsetParent?.getBoundingClientRect()
      Object.assign(placed.style, {
        top: `${top - (origin?.top ?? -window.scrollY)}px`,
        left: `${left - (origin?.left ?? -window.scrollX)}px`,
        width: `${width}px`,
        height: `${height}px`,
      })
    }
    align()
    // A change above the target, such as a notice that is closed, changes the height of the page.
    const observer = new ResizeObserver(align)
    for (const observed of [target, document.body, ...document.body.children]) observer.observe(observed)
    window.addEventListener('resize', align)
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', align)
      placed.removeAttribute('style')
    }
  }, [element, target])
}
