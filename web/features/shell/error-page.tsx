import { Link, useRouter } from '@tanstack/react-router'
import { useReachable } from '../../reachable.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Message } from './not-found-page.tsx'

/** What is shown in a page's place when it broke, or could not be had; the header and footer stay. */
export function ErrorPage() {
  const router = useRouter()
  if (!useReachable()) {
    return (
      <Message
        title="This page cannot be reached"
        text="You are offline, or the site is. The page comes by itself as soon as it can, and what you were writing is kept."
      >
        <Button tone="accent" onClick={() => window.location.reload()}>
          Try again
        </Button>
      </Message>
    )
  }
  return (
    <Message
      title="Something went wrong on our side"
      text="The page could not be shown. Trying again often helps; if it does not, please tell us."
    >
      <Button tone="accent" onClick={() => void router.invalidate()}>
        Try again
      </Button>
      <Link to="/" className={buttonClass()}>
        Go back home
      </Link>
    </Message>
  )
}
