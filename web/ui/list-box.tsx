import type { ComponentProps } from 'react'

/** Renders rows in a frame, with a line between them. */
export function ListBox({ className = '', ...rest }: ComponentProps<'ul'>) {
  return <ul {...rest} className={`${listBoxClass} ${className}`} />
}

/** The classes of a `ListBox`, for elements other than lists (skeletons). */
export const listBoxClass = 'divide-y divide-line overflow-hidden rounded-card border border-line bg-raised'
