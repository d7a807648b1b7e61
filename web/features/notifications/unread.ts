/** How many notifications are unread, as this tab knows: the bell, the page and the stream share it. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useSyncExternalStore } from 'react'
import { createListeners } from '../../ui/create-listeners.ts'

interface UnreadState {
  /** Null until somebody said. */
  count: number | null
  /** When it last became more, in milliseconds; 0: never. */
  increasedAt: number
}

const unknownState: UnreadState = { count: null, increasedAt: 0 }
let currentState = unknownState
const { subscribe, notify } = createListeners()

/** Null: nobody is signed in any more, or nobody knows. */
export function setUnread(count: number | null): void {
  if (count === currentState.count) return
  const grew = count !== null && currentState.count !== null && count > currentState.count
  currentState =
    count === null ? unknownState : { count, increasedAt: grew ? Date.now() : currentState.increasedAt }
  notify()
}

export function getUnread(): number | null {
  return currentState.count
}

export function useUnread(): UnreadState {
  return useSyncExternalStore(
    subscribe,
    () => currentState,
    () => unknownState,
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
