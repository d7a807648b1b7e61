/** Whether the server was reachable at the last request. */
import { useSyncExternalStore } from 'react'
import { createListeners } from '../../ui/create-listeners.ts'

let isReachable = true
const { subscribe, notify } = createListeners()

/** Records whether a request got any response, whatever its status. */
export function reportServerReachable(next: boolean): void {
  if (next === isReachable) return
  isReachable = next
  notify()
}

export function useServerReachable(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isReachable,
    () => true,
  )
}
