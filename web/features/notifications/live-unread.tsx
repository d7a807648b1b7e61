import { useEffect, useRef, useState } from 'react'
import { refreshUser, useSession } from '../../shared/session/session.ts'
import { followUnreadCount } from './follow-unread.ts'
import { unreadText, useUnread } from './unread.ts'

/** Announcements wait for notifications that follow closely, and then pause for a while. */
const announceDelayMs = 3000
const minAnnounceIntervalMs = 30_000

/**
 * Keeps the bell's count up to date and announces to screen readers when it has increased, at most every 30 seconds.
 * Loaded for signed-in users only; renders nothing visible.
 */
export function LiveUnread() {
  const { username } = useSession()
  const { count, increasedAt } = useUnread()
  useEffect(() => {
    // A moderator's decision about the viewer arrives with a notification. On the first page of a tab, the viewer is
    // fetched without one.
    if (username !== null && (increasedAt > 0 || isFirstPageOfSession(username))) void refreshUser()
  }, [username, increasedAt])
  const [announcement, setAnnouncement] = useState('')
  const announcedAt = useRef(0)
  useEffect(() => {
    if (username !== null) return followUnreadCount(username)
  }, [username])
  useEffect(() => {
    if (count === null || count === 0) return setAnnouncement('')
    if (increasedAt <= announcedAt.current) return
    const delay = Math.max(announceDelayMs, announcedAt.current + minAnnounceIntervalMs - Date.now())
    const timer = setTimeout(() => {
      announcedAt.current = Date.now()
      setAnnouncement(`Notifications: ${unreadText(count)}`)
    }, delay)
    return () => clearTimeout(timer)
  }, [count, increasedAt])
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
