import { useEffect, useRef, useState } from 'react'
import { refreshUser, useSession } from '../../session.ts'
import { followUnread } from './follow-unread.ts'
import { unreadText, useUnread } from './unread.ts'

/** Said after what follows closely has come, too, and then not again for a while. */
const settleMs = 3000
const quietMs = 30_000

/**
 * Keeps the bell's count live, and says it to those who listen when it has grown, not at every tick. Loaded for
 * signed-in people alone; shows nothing.
 */
export function LiveUnread() {
  const { username } = useSession()
  const { count, grownAt } = useUnread()
  useEffect(() => {
    // What moderators decide about somebody comes with a notification; once a tab it is asked for without one.
    if (username !== null && (grownAt > 0 || isFirstIn(username))) void refreshUser()
  }, [username, grownAt])
  const [said, setSaid] = useState('')
  const saidAt = useRef(0)
  useEffect(() => {
    if (username !== null) return followUnread(username)
  }, [username])
  useEffect(() => {
    if (count === null || count === 0) return setSaid('')
    if (grownAt <= saidAt.current) return
    const wait = Math.max(settleMs, saidAt.current + quietMs - Date.now())
    const timer = setTimeout(() => {
      saidAt.current = Date.now()
      setSaid(`Notifications: ${unreadText(count)}`)
    }, wait)
    return () => clearTimeout(timer)
  }, [count, grownAt])
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  )
}

function isFirstIn(username: string): boolean {
  try {
    const before = sessionStorage.getItem('asked-as')
    sessionStorage.setItem('asked-as', username)
    return before !== username
  } catch {
    return false
  }
}
