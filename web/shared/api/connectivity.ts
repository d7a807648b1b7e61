/** Whether the server can be reached, as far as the last call found. */
import { useSyncExternalStore } from 'react'
import { createListeners } from '../../ui/create-listeners.ts'

let isReachable = true
const { subscribe, notify } = createListeners()

/** A call was answered, however; or nothing came back. */
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
