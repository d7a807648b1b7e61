import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../ui/button.tsx'
import { Message } from '../shell/not-found-page.tsx'
import { SecondFactorNotice } from './second-factor-reminder.tsx'

/** Until videos can be reported there is no queue to work on, and this page says so. */
export function ModeratorPage() {
  return (
    <>
      <div className="page pt-6">
        <SecondFactorNotice />
      </div>
      <Message
        title="Moderator Tools"
        text="Nothing waits for you: videos cannot be reported yet. The queue will be here when they can."
      >
        <Link to="/explore" className={buttonClass()}>
          Explore Public Bookmarks
        </Link>
      </Message>
    </>
  )
}
