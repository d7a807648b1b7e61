import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../ui/button.tsx'
import { Message } from '../shell/not-found-page.tsx'

const fallback = 'Failed to load bookmark details. It might have been deleted or the link is incorrect.'

/** What is shown when a bookmark cannot be: the server's words, if it had any. */
export function BookmarkError({ message }: { message?: string | undefined }) {
  return (
    <Message
      title="Error Loading Bookmark"
      text={message === undefined || message === '' ? fallback : message}
    >
      <Link to="/" className={buttonClass('accent')}>
        Go back home
      </Link>
    </Message>
  )
}
