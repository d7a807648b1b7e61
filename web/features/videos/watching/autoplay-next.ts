import { useSyncExternalStore } from 'react'
import { createListeners } from '../../../ui/create-listeners.ts'
import { readLocalStorage, writeLocalStorage } from '../../../ui/local-storage.ts'

const storageKey = 'autoplay-next'
const { subscribe, notify } = createListeners()

/** Returns whether the next video starts automatically, as chosen on this device. */
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
