import type { ReactNode } from 'react'

const tones = {
  quiet: 'border-line text-quiet',
  accent: 'border-accent-ink/40 text-accent-ink',
  danger: 'border-danger/50 text-danger',
  success: 'border-success/50 text-success',
}

/** Classes of a clickable pill, for example a tag or a filter. */
export const chipClass =
  'inline-flex h-8 max-w-full items-center gap-1.5 rounded-full border border-line bg-raised px-3 text-13 text-ink transition-colors hover:border-line-strong hover:bg-hover pointer-coarse:h-11 pointer-coarse:min-w-11 pointer-coarse:px-4'

/** A small label that states a property, for example 'Beta', 'Private' or 'Hidden pending review'. */
export function Badge({
  tone = 'quiet',
  className = '',
  children,
}: {
  tone?: keyof typeof tones
  className?: string
  children: ReactNode
}) {
  return (
    <span
      className={`inline-flex h-6 items-center gap-1 rounded-chip border px-2 text-12 font-medium whitespace-nowrap ${tones[tone]} ${className}`}
    >
      {children}
    </span>
  )
}
