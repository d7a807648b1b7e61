import { Link, type LinkProps } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { buttonClass } from './button.tsx'

interface PagerProps {
  page: number
  pages: number
  /** Where a page is. */
  linkTo: (page: number) => LinkProps
}

/** Previous and Next as real links around 'Page X of Y'; nothing when there is one page. */
export function Pager({ page, pages, linkTo }: PagerProps) {
  if (pages <= 1) return null
  return (
    <nav aria-label="Pages" className="flex items-center justify-center gap-3 sm:gap-5">
      {page > 1 ? (
        <Link {...linkTo(page - 1)} rel="prev" className={buttonClass()}>
          <ChevronLeft aria-hidden="true" className="-ml-1 size-4" strokeWidth={1.75} />
          Previous
        </Link>
      ) : (
        <span aria-disabled="true" className={buttonClass('plain', 'md', 'pointer-events-none')}>
          <ChevronLeft aria-hidden="true" className="-ml-1 size-4" strokeWidth={1.75} />
          Previous
        </span>
      )}
      <p className="text-14 text-quiet tabular-nums">
        Page {page.toLocaleString('en')} of {pages.toLocaleString('en')}
      </p>
      {page < pages ? (
        <Link {...linkTo(page + 1)} rel="next" className={buttonClass()}>
          Next
          <ChevronRight aria-hidden="true" className="-mr-1 size-4" strokeWidth={1.75} />
        </Link>
      ) : (
        <span aria-disabled="true" className={buttonClass('plain', 'md', 'pointer-events-none')}>
          Next
          <ChevronRight aria-hidden="true" className="-mr-1 size-4" strokeWidth={1.75} />
        </span>
      )}
    </nav>
  )
}
