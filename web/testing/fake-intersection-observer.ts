import { vi } from 'vitest'

/** The elements of each observer, by its callback. Code may use one observer for the whole page. */
const observed = new Map<IntersectionObserverCallback, Set<Element>>()

/**
 * Stubs `IntersectionObserver`, which jsdom lacks: no element is reported as visible until the test calls the returned function,
 * which reports all of them.
 */
export function stubIntersectionObserver(): () => void {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly elements = new Set<Element>()
      constructor(callback: IntersectionObserverCallback) {
        observed.set(callback, this.elements)
      }
      observe(element: Element) {
        this.elements.add(element)
      }
      unobserve(element: Element) {
        this.elements.delete(element)
      }
    },
  )
  return () => {
    for (const [callback, elements] of observed) {
      const entries = [...elements].map((target) => ({ target, isIntersecting: true }))
      callback(entries as unknown as IntersectionObserverEntry[], null as unknown as IntersectionObserver)
    }
  }
}
