/** Whether this page knows what whoever is signed in may see: the server has answered as to a visitor. */
import { useSyncExternalStore } from 'react'

let known = false
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What a visitor was not shown has been asked for again, as whoever is signed in. */
export function wasAskedAgain(): void {
  known = true
  for (const listener of [...listeners]) listener()
}

export function useAskedAgain(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => known,
    () => false,
  )
}
