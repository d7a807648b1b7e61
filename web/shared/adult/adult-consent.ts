import { isAdult, type Orientation } from '@reelmark/contract/protocol/fields.ts'
import { useSyncExternalStore } from 'react'
import { readLocalStorage, writeLocalStorage } from '../../ui/local-storage.ts'

const storageKey = 'adult-confirmed'
const noticeKey = 'adult-notice'
const listeners = new Set<() => void>()
let hasConsented: boolean | null = null

function readConsent(): boolean {
  hasConsented ??= readLocalStorage(storageKey) === 'yes'
  return hasConsented
}

/** Returns whether age was confirmed on this device. False on the server and during hydration. */
export function useAdultConsent(): boolean {
  return useSyncExternalStore(subscribe, readConsent, () => false)
}

/**
 * Returns whether a thumbnail or player of this orientation must be concealed. Null means that there is no content, so
 * nothing is concealed.
 */
export function useIsAdultCovered(orientation: Orientation | null): boolean {
  const consent = useAdultConsent()
  return orientation !== null && isAdult(orientation) && !consent
}

/** Hides the notices above adult thumbnails on this device, until the age confirmation is withdrawn. */
export function dismissAdultNotice(): void {
  writeLocalStorage(noticeKey, 'dismissed')
  document.documentElement.dataset.adult = 'dismissed'
}

/** Remembers on the device that the visitor is 18 or older (docs/behaviour.md, Visibility). */
export function giveAdultConsent(): void {
  writeLocalStorage(storageKey, 'yes')
  writeLocalStorage(noticeKey, null)
  setConsent(true)
}

/** Withdraws the age confirmation: adult thumbnails are concealed again. */
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

/** Applies changes made in another tab. The key is null when all storage was cleared. */
function onStorageEvent(event: StorageEvent): void {
  if (event.key === storageKey || event.key === null) setConsent(event.newValue === 'yes')
}

function setConsent(value: boolean): void {
  hasConsented = value
  // The same attribute as before the first paint (features/shell/theme-script.ts).
  if (value) document.documentElement.dataset.adult = 'confirmed'
  else delete document.documentElement.dataset.adult
  for (const listener of listeners) listener()
}
