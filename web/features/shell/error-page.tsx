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
        title="Something went wrong"
        text="We couldn't load this page. Try again, and contact us if the problem continues."
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
      title="You're offline"
      text="Check your connection. This page will reload when you're back online, and your drafts are saved."
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
