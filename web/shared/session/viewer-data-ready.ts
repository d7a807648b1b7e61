/** Whether this page knows what whoever is signed in may see: the server has answered as to a visitor. */
import { useSyncExternalStore } from 'react'
import { createListeners } from '../../ui/create-listeners.ts'

let isReady = false
const { subscribe, notify } = createListeners()

/** What a visitor was not shown has been asked for again, as whoever is signed in. */
export function markViewerDataReady(): void {
  isReady = true
  notify()
}

export function useViewerDataReady(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isReady,
    () => false,
  )
}
