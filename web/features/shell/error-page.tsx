import { Link, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useReachable } from '../../reachable.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Message } from './not-found-page.tsx'

/** What is shown in a page's place when it broke, or could not be had; the header and footer stay. */
export function ErrorPage() {
  return (
    <WhenReached>
      <Message
        title="Something went wrong on our side"
        text="The page could not be shown. Trying again often helps; if it does not, please tell us."
      >
        <TryAgain />
        <Link to="/" className={buttonClass()}>
          Go back home
        </Link>
      </Message>
    </WhenReached>
  )
}

/** A page's own words for what broke; others while the server cannot be reached at all. */
export function WhenReached({ children }: { children: ReactNode }) {
  if (useReachable()) return children
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

/** Asks again for what the page could not have. */
export function TryAgain() {
  const router = useRouter()
  return (
    <Button tone="accent" onClick={() => void router.invalidate()}>
      Try again
    </Button>
  )
}
