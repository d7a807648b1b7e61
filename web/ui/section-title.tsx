import type { ComponentProps } from 'react'

interface SectionTitleProps extends ComponentProps<'h2'> {
  /** The class of the font size, where it differs from that of most sections. */
  sizeClass?: string
}

/** Renders the heading of a section of a page. */
export function SectionTitle({ sizeClass = 'text-20', className = '', ...rest }: SectionTitleProps) {
  return <h2 {...rest} className={`font-display font-bold tracking-[-0.01em] ${sizeClass} ${className}`} />
}
