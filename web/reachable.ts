/** Whether the server can be reached, as far as the last call found. */
import { useSyncExternalStore } from 'react'
import { createListeners } from './ui/listeners.ts'

let reachable = true
const { subscribe, notify } = createListeners()

/** A call was answered, however; or nothing came back. */
export function serverAnswered(answered: boolean): void {
  if (answered === reachable) return
  reachable = answered
  notify()
}

export function useReachable(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => reachable,
    () => true,
  )
}
