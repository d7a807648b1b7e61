import type { ReactNode } from 'react'

/** Renders a page's main heading. */
export function PageTitle({ children }: { children: ReactNode }) {
  return <h1 className="font-display text-31 font-bold tracking-[-0.02em] sm:text-39">{children}</h1>
}
