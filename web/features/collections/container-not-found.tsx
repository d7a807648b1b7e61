import { Link } from '@tanstack/react-router'
import { PageMessage } from '../../shared/pages/not-found-page.tsx'
import { buttonClass } from '../../ui/button.tsx'

/** Shown for containers that do not exist and for private ones alike. */
export function ContainerNotFound({ kind }: { kind: 'collection' | 'channel' }) {
  return (
    <PageMessage
      code="404"
      title={`${kind === 'collection' ? 'Collection' : 'Channel'} not found`}
      text={
        <>
          It may be private or deleted.<span className="for-visitors"> If it's yours, log in to see it.</span>
        </>
      }
    >
      <Link to="/explore" className={buttonClass('accent')}>
        Explore Bookmarks
      </Link>
    </PageMessage>
  )
}
