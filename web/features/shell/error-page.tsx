import { Link, useRouter } from '@tanstack/react-router'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Message } from './not-found-page.tsx'

/** What is shown in a page's place when it broke; the header and footer stay. */
export function ErrorPage() {
  const router = useRouter()
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
