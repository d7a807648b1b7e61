import { Link, type LinkProps } from '@tanstack/react-router'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { buttonClass } from './button.tsx'
import { useDeferredComponent } from './use-deferred-component.ts'

interface PagerProps {
  page: number
  /** The last of several pages that are shown below each other. */
  lastPage?: number
  pages: number
  /** Returns the link to a page. */
  linkTo: (page: number) => LinkProps
}

/** Returns 'Page 2 of 5', or 'Pages 2 to 3 of 5' for pages that are shown below each other. */
export function pagesText(page: number, lastPage: number, pages: number): string {
  const format = (number: number) => number.toLocaleString('en')
  return `Page${lastPage > page ? `s ${format(page)} to` : ''} ${format(lastPage)} of ${format(pages)}`
}

/** From this many pages on, a field opens any of them. */
const fieldMinPages = 4

/** Loaded after the page is shown, because the field needs scripts. */
const loadPageField = () => import('./page-field.tsx').then((module) => module.PageField)

/** Previous and Next links around 'Page X of Y', and a field for a page's number. Renders nothing for a single page. */
export function Pager({ page, lastPage = page, pages, linkTo }: PagerProps) {
  const hasField = pages >= fieldMinPages
  const PageField = useDeferredComponent(hasField, loadPageField)
  if (pages <= 1) return null
  return (
    <>
      <nav aria-label="Pages" className="flex flex-wrap items-center justify-center gap-3 sm:gap-5">
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
        <p className="text-14 text-quiet tabular-nums">{pagesText(page, lastPage, pages)}</p>
        {lastPage < pages ? (
          <Link {...linkTo(lastPage + 1)} rel="next" className={buttonClass()}>
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
      {hasField && (
        // As tall as the field, so that nothing moves when it appears.
        <div className="mt-4 min-h-11">
          {PageField !== null && <PageField pages={pages} linkTo={linkTo} />}
        </div>
      )}
    </>
  )
}
