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
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    read,
    () => false,
  )
}

/** Remembers on the device that this person is 18 or older (decisions.md, Visibility). */
export function confirmAdult(): void {
  set(true)
}

/** Takes that back: adult pictures are covered again. */
export function withdrawAdult(): void {
  set(false)
}

function set(value: boolean): void {
  confirmed = value
  rememberOnDevice(key, value ? 'yes' : null)
  for (const listener of listeners) listener()
}
