import { vi } from 'vitest'

/** Stubs `IntersectionObserver`, which jsdom lacks: no element is ever reported as visible. */
export function nothingInSight(): void {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      unobserve() {}
    },
  )
}
