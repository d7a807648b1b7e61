import { isAdult, type Orientation } from '@reelmark/contract/protocol/fields.ts'
import { useSyncExternalStore } from 'react'
import { readLocalStorage, writeLocalStorage } from '../../ui/local-storage.ts'

const storageKey = 'adult-confirmed'
const listeners = new Set<() => void>()
let hasConsented: boolean | null = null

function readConsent(): boolean {
  hasConsented ??= readLocalStorage(storageKey) === 'yes'
  return hasConsented
}

/** Whether someone on this device said that they are 18 or older. False on the server and during hydration. */
export function useAdultConsent(): boolean {
  return useSyncExternalStore(subscribe, readConsent, () => false)
}

/** Whether a picture or player of this orientation stays covered. Null: of nothing in particular, so never. */
export function useIsAdultCovered(orientation: Orientation | null): boolean {
  const consent = useAdultConsent()
  return orientation !== null && isAdult(orientation) && !consent
}

/** Remembers on the device that the visitor is 18 or older (docs/behaviour.md, Visibility). */
export function giveAdultConsent(): void {
  writeLocalStorage(storageKey, 'yes')
  setConsent(true)
}

/** Takes that back: adult pictures are covered again. */
export function withdrawAdultConsent(): void {
  writeLocalStorage(storageKey, null)
  setConsent(false)
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', onStorageEvent)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', onStorageEvent)
  }
}

/** Said or taken back in another tab: it holds for the device. Null: everything was forgotten. */
function onStorageEvent(event: StorageEvent): void {
  if (event.key === storageKey || event.key === null) setConsent(event.newValue === 'yes')
}

function setConsent(value: boolean): void {
  hasConsented = value
  // As before the first paint (features/shell/before-paint.ts).
  if (value) document.documentElement.dataset.adult = 'confirmed'
  else delete document.documentElement.dataset.adult
  for (const listener of listeners) listener()
}
