import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageMessage } from '../../shared/pages/not-found-page.tsx'
import { buttonClass } from '../../ui/button.tsx'

const fallback = 'Failed to load bookmark details. It might have been deleted or the link is incorrect.'

/**
 * What is shown when a bookmark cannot be: the server's words, if it had any. `again`: a way to ask once more, where that
 * may help.
 */
export function BookmarkError({ message, again }: { message?: string | undefined; again?: ReactNode }) {
  return (
    <PageMessage
      title="Error Loading Bookmark"
      text={message === undefined || message === '' ? fallback : message}
    >
      {again}
      <Link to="/" className={buttonClass(again === undefined ? 'accent' : 'plain')}>
        Go back home
      </Link>
    </PageMessage>
  )
}
