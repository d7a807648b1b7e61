import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { Link } from '@tanstack/react-router'
import { PageMessage } from '../../../shared/pages/not-found-page.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'

/** Shown if a secret link cannot be opened. A revoked or replaced link looks like one that never existed. */
export function UnlistedError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (isCallError(error) && error.status === 404) {
    return (
      <PageMessage
        code="404"
        title="Link not found"
        text="The link may be incomplete, or its owner revoked it."
      >
        <Link to="/explore" className={buttonClass('accent')}>
          Explore Bookmarks
        </Link>
      </PageMessage>
    )
  }
  return (
    <PageMessage title="Couldn't load this page" text="This is usually temporary. Try again.">
      <Button tone="accent" onClick={onRetry}>
        Try again
      </Button>
    </PageMessage>
  )
}
