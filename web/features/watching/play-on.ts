import { useSyncExternalStore } from 'react'
import { rememberedOnDevice, rememberOnDevice } from '../../ui/device-memory.ts'

const key = 'play-on'
const listeners = new Set<() => void>()

/** Whether what ends is followed by the next one without a press; as chosen on this device. */
export function usePlayOn(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => rememberedOnDevice(key) !== 'off',
    () => true,
  )
}

export function setPlayOn(on: boolean): void {
  rememberOnDevice(key, on ? null : 'off')
  for (const listener of listeners) listener()
}
