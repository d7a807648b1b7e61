import { type RefObject, useEffect, useState } from 'react'

const callbacks = new WeakMap<Element, () => void>()
let observer: IntersectionObserver | undefined

function observe(element: Element, callback: () => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const entry of entries) if (entry.isIntersecting) callbacks.get(entry.target)?.()
    },
    { rootMargin: '100px' },
  )
  callbacks.set(element, callback)
  observer.observe(element)
  return () => {
    observer?.unobserve(element)
    callbacks.delete(element)
  }
}

/** True once the element has been within 100 px of view (docs/behaviour.md, Times and sizes). */
export function useInView(element: RefObject<Element | null>, eager: boolean): boolean {
  const [isNear, setNear] = useState(eager)
  useEffect(() => {
    const target = element.current
    if (isNear || target === null) return
    return observe(target, () => setNear(true))
  }, [element, isNear])
  return isNear
}
