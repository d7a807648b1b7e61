/** How many notifications are unread, as this tab knows: the bell, the page and the stream share it. */
import { limits } from '@reelmark/contract/limits.ts'
import { useSyncExternalStore } from 'react'
import { createListeners } from '../../ui/listeners.ts'

interface Unread {
  /** Null until somebody said. */
  count: number | null
  /** When it last became more, in milliseconds; 0: never. */
  grownAt: number
}

const unknown: Unread = { count: null, grownAt: 0 }
let unread = unknown
const { subscribe, notify } = createListeners()

/** Null: nobody is signed in any more, or nobody knows. */
export function setUnread(count: number | null): void {
  if (count === unread.count) return
  const grew = count !== null && unread.count !== null && count > unread.count
  unread = count === null ? unknown : { count, grownAt: grew ? Date.now() : unread.grownAt }
  notify()
}

export function getUnread(): number | null {
  return unread.count
}

export function useUnread(): Unread {
  return useSyncExternalStore(
    subscribe,
    () => unread,
    () => unknown,
  )
}

/** What stands on the bell: '7', '99+'. */
export function badgeText(count: number): string {
  return count >= limits.unreadMax ? '99+' : String(count)
}

/** What is said of it: '7 unread', '99+ unread'. */
export function unreadText(count: number): string {
  return countText(count, 'unread')
}

/** The same of any such count: '7 open', '99+ open'. */
export function countText(count: number, what: string): string {
  return `${count >= limits.unreadMax ? '99+' : count} ${what}`
}
