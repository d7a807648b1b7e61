import { useEffect, useRef, useState } from 'react'
import { refreshUser, useSession } from '../../shared/session/session.ts'
import { followUnreadCount } from './follow-unread.ts'
import { unreadText, useUnread } from './unread.ts'

/** Said after what follows closely has come, too, and then not again for a while. */
const announceDelayMs = 3000
const minAnnounceIntervalMs = 30_000

/**
 * Keeps the bell's count live, and says it to those who listen when it has grown, not at every tick. Loaded for
 * signed-in people alone; shows nothing.
 */
export function LiveUnread() {
  const { username } = useSession()
  const { count, increasedAt: grownAt } = useUnread()
  useEffect(() => {
    // What moderators decide about somebody comes with a notification; once a tab it is asked for without one.
    if (username !== null && (grownAt > 0 || isFirstPageOfSession(username))) void refreshUser()
  }, [username, grownAt])
  const [announcement, setSaid] = useState('')
  const saidAt = useRef(0)
  useEffect(() => {
    if (username !== null) return followUnreadCount(username)
  }, [username])
  useEffect(() => {
    if (count === null || count === 0) return setSaid('')
    if (grownAt <= saidAt.current) return
    const wait = Math.max(announceDelayMs, saidAt.current + minAnnounceIntervalMs - Date.now())
    const timer = setTimeout(() => {
      saidAt.current = Date.now()
      setSaid(`Notifications: ${unreadText(count)}`)
    }, wait)
    return () => clearTimeout(timer)
  }, [count, grownAt])
  return (
    <p role="status" className="sr-only">
      {announcement}
    </p>
  )
}

function isFirstPageOfSession(username: string): boolean {
  try {
    const before = sessionStorage.getItem('viewer-seen')
    sessionStorage.setItem('viewer-seen', username)
    return before !== username
  } catch {
    return false
  }
}
