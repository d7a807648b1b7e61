import Search from 'lucide-react/icons/search'
import type { ComponentProps } from 'react'
import { controlClass } from './field-context.ts'

interface SearchFieldProps extends ComponentProps<'input'> {
  /** The accessible name. */
  label: string
  large?: boolean
}

/** A search input with a magnifying glass. */
export function SearchField({ label, large = false, className = '', ...rest }: SearchFieldProps) {
  return (
    <span className={`relative block min-w-0 ${className}`}>
      <Search
        className={`pointer-events-none absolute top-1/2 -translate-y-1/2 text-quiet ${large ? 'left-4 size-5' : 'left-3 size-4'}`}
      />
      <input
        type="search"
        aria-label={label}
        autoComplete="off"
        enterKeyHint="search"
        {...rest}
        className={`${controlClass} ${large ? 'h-13 pl-12' : 'h-11 pl-9'} pr-3 text-ellipsis`}
      />
    </span>
  )
}
