import type { ComponentProps } from 'react'

interface PageTitleProps extends ComponentProps<'h1'> {
  /** The classes of the font size, where it differs from that of most pages. */
  sizeClass?: string
}

/** Renders a page's main heading. */
export function PageTitle({ sizeClass = 'text-31 sm:text-39', className = '', ...rest }: PageTitleProps) {
  return <h1 {...rest} className={`font-display font-bold tracking-[-0.02em] ${sizeClass} ${className}`} />
}
