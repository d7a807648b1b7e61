import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../ui/button.tsx'
import { Message } from '../shell/not-found-page.tsx'

/** Of one that is not there, and of a private one alike. */
export function PlaceMissing({ kind }: { kind: 'collection' | 'channel' }) {
  return (
    <Message
      code="404"
      title={`${kind === 'collection' ? 'Collection' : 'Channel'} not found`}
      text="It may be private or deleted. If it's yours, log in to see it."
    >
      <Link to="/explore" className={buttonClass('accent')}>
        Explore Bookmarks
      </Link>
    </Message>
  )
}
