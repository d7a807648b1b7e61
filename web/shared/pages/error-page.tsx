import { Link, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button, buttonClass } from '../../ui/button.tsx'
import { useServerReachable } from '../api/connectivity.ts'
import { PageMessage } from './not-found-page.tsx'

/** Replaces a page that failed to load or render. The header and footer stay. */
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

/** Shows its children, or an offline message while the server cannot be reached. */
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

/** Loads the page's data again. */
export function RetryButton() {
  const router = useRouter()
  return (
    <Button tone="accent" onClick={() => void router.invalidate()}>
      Try again
    </Button>
  )
}
