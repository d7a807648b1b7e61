/** Whether the server can be reached, as far as the last call found. */
import { useSyncExternalStore } from 'react'

let reachable = true
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A call was answered, however; or nothing came back. */
export function serverAnswered(answered: boolean): void {
  if (answered === reachable) return
  reachable = answered
  for (const listener of [...listeners]) listener()
}

export function useReachable(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => reachable,
    () => true,
  )
}
