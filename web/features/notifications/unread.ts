/** The unread count in this tab, shared by the bell, the page and the stream. */
import { useSyncExternalStore } from 'react'
import { cappedCount } from '../../shared/counts/capped-count.ts'
import { createListeners } from '../../ui/create-listeners.ts'

interface UnreadState {
  /** Null until it is known. */
  count: number | null
  /** The time of the last increase, in milliseconds; 0 before the first increase. */
  increasedAt: number
}

const unknownState: UnreadState = { count: null, increasedAt: 0 }
let currentState = unknownState
const { subscribe, notify } = createListeners()

/** Sets the count; null if no user is signed in or the count is unknown. */
export function setUnread(count: number | null): void {
  if (count === currentState.count) return
  const hasIncreased = count !== null && currentState.count !== null && count > currentState.count
  currentState =
    count === null
      ? unknownState
      : { count, increasedAt: hasIncreased ? Date.now() : currentState.increasedAt }
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

/** Describes the unread count: '7 unread', '99+ unread'. */
export function unreadText(count: number): string {
  return `${cappedCount(count)} unread`
}
