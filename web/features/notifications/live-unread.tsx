import { useEffect, useRef, useState } from 'react'
import { useSession } from '../../session.ts'
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
