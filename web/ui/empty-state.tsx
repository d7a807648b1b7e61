import type { ReactNode } from 'react'

/** Says what a list will contain while it is empty. `children` is the next step, usually a button. */
export function EmptyState({
  title,
  text,
  children,
}: {
  title: string
  text?: ReactNode
  children?: ReactNode
}) {
  return (
    <div className="flex flex-col items-center gap-3 rounded-card border border-dashed border-line px-6 py-16 text-center">
      <svg
        aria-hidden="true"
        viewBox="0 0 64 44"
        className="h-11 w-16 text-line-strong"
        fill="none"
        stroke="currentColor"
      >
        <rect x="9" y="1" width="46" height="28" rx="5" strokeWidth="1.75" opacity="0.4" />
        <rect x="4" y="7" width="56" height="30" rx="5" className="fill-surface" strokeWidth="1.75" />
        <path d="M28 17.5v9l8-4.5z" strokeWidth="1.75" strokeLinejoin="round" />
      </svg>
      <p className="text-16 font-medium text-ink">{title}</p>
      {text !== undefined && <p className="measure text-14 text-quiet">{text}</p>}
      {children !== undefined && <div className="mt-2 flex flex-wrap justify-center gap-2">{children}</div>}
    </div>
  )
}
