import { useSyncExternalStore } from 'react'
import { createListeners } from '../../../ui/create-listeners.ts'
import { readLocalStorage, writeLocalStorage } from '../../../ui/local-storage.ts'

const storageKey = 'autoplay-next'
const { subscribe, notify } = createListeners()

/** Whether what ends is followed by the next one without a press; as chosen on this device. */
export function useAutoplayNext(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => readLocalStorage(storageKey) !== 'off',
    () => true,
  )
}

export function setAutoplayNext(on: boolean): void {
  writeLocalStorage(storageKey, on ? null : 'off')
  notify()
}
