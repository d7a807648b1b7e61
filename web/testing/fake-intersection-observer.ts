import { vi } from 'vitest'

/** Stubs `IntersectionObserver`, which jsdom lacks: no element is ever reported as visible. */
export function stubIntersectionObserver(): void {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      unobserve() {}
    },
  )
}
