import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageMessage } from '../../shared/pages/not-found-page.tsx'
import { buttonClass } from '../../ui/button.tsx'

const fallback = 'Failed to load bookmark details. It might have been deleted or the link is incorrect.'

/**
 * Replaces a bookmark that could not be loaded; shows the server's message if there is one.
 * @param retry a button to try again, where that may help.
 */
export function BookmarkError({ message, retry }: { message?: string | undefined; retry?: ReactNode }) {
  return (
    <PageMessage
      title="Error Loading Bookmark"
      text={message === undefined || message === '' ? fallback : message}
    >
      {retry}
      <Link to="/" className={buttonClass(retry === undefined ? 'accent' : 'plain')}>
        Go back home
      </Link>
    </PageMessage>
  )
}
