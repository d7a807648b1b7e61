/** How many notifications are unread, as this tab knows: the bell, the page and the stream share it. */
import { useSyncExternalStore } from 'react'
import { cappedCount } from '../../shared/counts/capped-count.ts'
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

/** Describes the unread count: '7 unread', '99+ unread'. */
export function unreadText(count: number): string {
  return `${cappedCount(count)} unread`
}
