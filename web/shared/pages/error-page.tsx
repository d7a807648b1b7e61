import { Link, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button, buttonClass } from '../../ui/button.tsx'
import { useServerReachable } from '../api/connectivity.ts'
import { PageMessage } from './not-found-page.tsx'

/** What is shown in a page's place when it broke, or could not be had; the header and footer stay. */
export function ErrorPage() {
  return (
    <WhenServerReachable>
      <PageMessage
        title="Something went wrong"
        text="We couldn't load this page. Try again, and contact us if the problem continues."
      >
        <RetryButton />
        <Link to="/" className={buttonClass()}>
          Go back home
        </Link>
      </PageMessage>
    </WhenServerReachable>
  )
}

/** A page's own words for what broke; others while the server cannot be reached at all. */
export function WhenServerReachable({ children }: { children: ReactNode }) {
  if (useServerReachable()) return children
  return (
    <PageMessage
      title="You're offline"
      text="Check your connection. This page will reload when you're back online, and your drafts are saved."
    >
      <Button tone="accent" onClick={() => window.location.reload()}>
        Try again
      </Button>
    </PageMessage>
  )
}

/** Asks again for what the page could not have. */
export function RetryButton() {
  const router = useRouter()
  return (
    <Button tone="accent" onClick={() => void router.invalidate()}>
      Try again
    </Button>
  )
}
