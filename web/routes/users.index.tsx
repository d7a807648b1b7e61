import { createFileRoute, Link, notFound } from '@tanstack/react-router'
import { PageMessage } from '../shared/pages/not-found-page.tsx'
import { buttonClass } from '../ui/button.tsx'

/** Responds 404 for a profile address without a username. */
export const Route = createFileRoute('/users/')({
  beforeLoad: () => {
    throw notFound()
  },
  head: () => ({ meta: [{ title: 'Profile · Reelmark' }] }),
  notFoundComponent: () => (
    <PageMessage
      title="No username provided in route."
      text="Add a username to the address, for example /users/mira."
    >
      <Link to="/explore" className={buttonClass('accent')}>
        Explore Bookmarks
      </Link>
    </PageMessage>
  ),
})
