import type { ReactNode } from 'react'

/** A box with a code or an address to copy by hand. */
export function CodeBox({ children }: { children: ReactNode }) {
  return (
    <p className="rounded-control border border-line bg-sunken px-3 py-2.5 font-mono text-14 wrap-anywhere">
      {children}
    </p>
  )
}
