/** The upload of a large file that this tab sends. It continues while the user visits other pages of the site. */
import { useSyncExternalStore } from 'react'
import { createListeners } from '../../ui/create-listeners.ts'

export interface UploadProgress {
  name: string
  /** In bytes. */
  sent: number
  total: number
  /** Whether a lost connection is waited for. */
  isWaiting: boolean
}

let progress: UploadProgress | null = null
const { subscribe, notify } = createListeners()

/** @param next null: no file is being sent */
export function setUploadProgress(next: UploadProgress | null): void {
  progress = next
  notify()
}

export function useUploadProgress(): UploadProgress | null {
  return useSyncExternalStore(
    subscribe,
    () => progress,
    () => null,
  )
}
