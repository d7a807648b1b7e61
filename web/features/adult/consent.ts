import { isAdult, type Orientation } from '@reelmark/contract/fields.ts'
import { useSyncExternalStore } from 'react'
import { rememberedOnDevice, rememberOnDevice } from '../../ui/device-memory.ts'

const key = 'adult-confirmed'
const listeners = new Set<() => void>()
let confirmed: boolean | null = null

function read(): boolean {
  confirmed ??= rememberedOnDevice(key) === 'yes'
  return confirmed
}

/** Whether someone on this device said that they are 18 or older. False on the server and during hydration. */
export function useAdultConsent(): boolean {
  return useSyncExternalStore(listen, read, () => false)
}

/** Whether a picture or player of this orientation stays covered. Null: of nothing in particular, so never. */
export function useIsCovered(orientation: Orientation | null): boolean {
  const consent = useAdultConsent()
  return orientation !== null && isAdult(orientation) && !consent
}

/** Remembers on the device that this person is 18 or older (decisions.md, Visibility). */
export function confirmAdult(): void {
  rememberOnDevice(key, 'yes')
  set(true)
}

/** Takes that back: adult pictures are covered again. */
export function withdrawAdult(): void {
  rememberOnDevice(key, null)
  set(false)
}

function listen(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', hear)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', hear)
  }
}

/** Said or taken back in another tab: it holds for the device. Null: everything was forgotten. */
function hear(event: StorageEvent): void {
  if (event.key === key || event.key === null) set(event.newValue === 'yes')
}

function set(value: boolean): void {
  confirmed = value
  // As before the first paint (features/shell/before-paint.ts).
  if (value) document.documentElement.dataset.adult = 'confirmed'
  else delete document.documentElement.dataset.adult
  for (const listener of listeners) listener()
}
