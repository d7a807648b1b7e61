import { Link } from '@tanstack/react-router'
import Bell from 'lucide-react/icons/bell'
import { cappedCount } from '../../shared/counts/capped-count.ts'
import { iconButtonClass } from '../../ui/button.tsx'
import { unreadText, useUnread } from './unread.ts'

/** The bell in the header with the number of unread notifications, once it is known. */
export function BellLink() {
  const count = useUnread().count ?? 0
  return (
    <Link
      to="/notifications"
      aria-label={count === 0 ? 'Notifications' : `Notifications, ${unreadText(count)}`}
      title="Notifications"
      className={iconButtonClass('quiet', 'md', 'relative aria-[current=page]:text-ink')}
    >
      <Bell className="size-5" />
      {count > 0 && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute -top-0.5 -right-0.5 flex h-4 min-w-4 items-center justify-center rounded-full border-2 border-surface bg-accent box-content px-0.5 text-12 leading-none font-semibold text-accent-text tabular-nums"
        >
          {cappedCount(count)}
        </span>
      )}
    </Link>
  )
}
