import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonClass } from '../../ui/button.tsx'
import { Message } from '../shell/not-found-page.tsx'

const fallback = 'Failed to load bookmark details. It might have been deleted or the link is incorrect.'

/**
 * What is shown when a bookmark cannot be: the server's words, if it had any. `again`: a way to ask once more, where that
 * may help.
 */
export function BookmarkError({ message, again }: { message?: string | undefined; again?: ReactNode }) {
  return (
    <Message
      title="Error Loading Bookmark"
      text={message === undefined || message === '' ? fallback : message}
    >
      {again}
      <Link to="/" className={buttonClass(again === undefined ? 'accent' : 'plain')}>
        Go back home
      </Link>
    </Message>
  )
}
