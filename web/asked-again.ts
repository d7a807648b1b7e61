/** Whether this page knows what whoever is signed in may see: the server has answered as to a visitor. */
import { useSyncExternalStore } from 'react'
import { createListeners } from './ui/listeners.ts'

let known = false
const { subscribe, notify } = createListeners()

/** What a visitor was not shown has been asked for again, as whoever is signed in. */
export function wasAskedAgain(): void {
  known = true
  notify()
}

export function useAskedAgain(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => known,
    () => false,
  )
}
