/** The upload of a large file that this tab sends. It continues while the user visits other pages of the site. */
import { useSyncExternalStore } from 'react'
import { createListeners } from '../../ui/create-listeners.ts'

export interface UploadProgress {
  name: string
  /** In bytes. */
  sent: number
  total: number
  /** What it waits for: a lost connection, or a site that refuses further requests or has an error; null: nothing. */
  waitsFor: 'connection' | 'site' | null
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
