/** Whether the page shows what the viewer may see. The server always responds as to a visitor. */
import { useSyncExternalStore } from 'react'
import { createListeners } from '../../ui/create-listeners.ts'

let isReady = false
const { subscribe, notify } = createListeners()

/** Records that the data a visitor may not see was requested again as the viewer. */
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
