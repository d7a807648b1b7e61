import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../ui/button.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { useViewerDataReady } from '../session/viewer-data-ready.ts'

/** The page for addresses that do not exist. */
export function NotFoundPage() {
  return (
    <PageMessage
      code="404"
      title="Page not found"
      text="The link may be wrong, or the page may have been removed."
    >
      <Link to="/" className={buttonClass('accent')}>
        Go back home
      </Link>
      <Link to="/explore" className={buttonClass()}>
        Explore Public Bookmarks
      </Link>
    </PageMessage>
  )
}

/**
 * A page that consists of a message and links. The server always responds as to a visitor. For a signed-in user, a
 * skeleton shows until their own data was requested, because they may see more than a visitor.
 */
export function PageMessage({
  code,
  title,
  text,
  children,
}: {
  code?: string
  title: string
  text: React.ReactNode
  children: React.ReactNode
}) {
  const isFinal = useViewerDataReady()
  return (
    <div className="page grid justify-items-center py-24 text-center *:col-start-1 *:row-start-1 sm:py-32">
      <div className={`flex flex-col items-center ${isFinal ? '' : 'visitors-only'}`}>
        {code !== undefined && <p className="text-14 font-medium text-accent-ink tabular-nums">{code}</p>}
        <PageTitle className="mt-3">{title}</PageTitle>
        <p className="measure mt-4 text-16 text-quiet">{text}</p>
        <div className="mt-8 flex flex-wrap justify-center gap-3">{children}</div>
      </div>
      {!isFinal && (
        <div
          role="status"
          // Fills the window, so that the footer does not jump.
          className="for-users flex min-h-dvh w-full max-w-100 flex-col items-center gap-4 pt-5"
        >
          <span className="sr-only">Loading...</span>
          <SkeletonLine className="h-8 w-full" />
          <SkeletonLine className="w-3/4" />
        </div>
      )}
    </div>
  )
}
