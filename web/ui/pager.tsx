import { Link, type LinkProps } from '@tanstack/react-router'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { buttonClass } from './button.tsx'

interface PagerProps {
  page: number
  pages: number
  /** Returns the link to a page. */
  linkTo: (page: number) => LinkProps
}

/** Previous and Next links around 'Page X of Y'. Renders nothing for a single page. */
export function Pager({ page, pages, linkTo }: PagerProps) {
  if (pages <= 1) return null
  return (
    <nav aria-label="Pages" className="flex items-center justify-center gap-3 sm:gap-5">
      {page > 1 ? (
        <Link {...linkTo(page - 1)} rel="prev" className={buttonClass()}>
          <ChevronLeft className="-ml-1 size-4" />
          Previous
        </Link>
      ) : (
        <span aria-disabled="true" className={buttonClass('plain', 'md', 'pointer-events-none')}>
          <ChevronLeft className="-ml-1 size-4" />
          Previous
        </span>
      )}
      <p className="text-14 text-quiet tabular-nums">
        Page {page.toLocaleString('en')} of {pages.toLocaleString('en')}
      </p>
      {page < pages ? (
        <Link {...linkTo(page + 1)} rel="next" className={buttonClass()}>
          Next
          <ChevronRight className="-mr-1 size-4" />
        </Link>
      ) : (
        <span aria-disabled="true" className={buttonClass('plain', 'md', 'pointer-events-none')}>
          Next
          <ChevronRight className="-mr-1 size-4" />
        </span>
      )}
    </nav>
  )
}
