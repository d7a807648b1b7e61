import { Link, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageMessage } from '../../shared/pages/not-found-page.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { useDeferredComponent } from '../../ui/use-deferred-component.ts'
import { hasNoContext, loadSkipMissing, readPlayContext } from '../videos/public-api.ts'

const fallback = 'Failed to load bookmark details. It might have been deleted or the link is incorrect.'

/**
 * Replaces a bookmark that could not be loaded; shows the server's message if there is one.
 * @param retry a button to try again, where that may help.
 */
export function BookmarkError({ message, retry }: { message?: string | undefined; retry?: ReactNode }) {
  const { id } = useParams({ strict: false })
  const context = readPlayContext(useSearch({ strict: false }))
  // Within a play queue, the next video is one press away.
  const SkipMissing = useDeferredComponent(!hasNoContext(context), loadSkipMissing)
  return (
    <PageMessage
      title="Error Loading Bookmark"
      text={message === undefined || message === '' ? fallback : message}
    >
      {retry}
      {SkipMissing !== null && <SkipMissing id={Number(id)} context={context} />}
      <Link to="/" className={buttonClass(retry === undefined ? 'accent' : 'plain')}>
        Go back home
      </Link>
    </PageMessage>
  )
}
