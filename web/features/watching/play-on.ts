import { useSyncExternalStore } from 'react'
import { rememberedOnDevice, rememberOnDevice } from '../../ui/device-memory.ts'
import { createListeners } from '../../ui/listeners.ts'

const key = 'play-on'
const { subscribe, notify } = createListeners()

/** Whether what ends is followed by the next one without a press; as chosen on this device. */
export function usePlayOn(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => rememberedOnDevice(key) !== 'off',
    () => true,
  )
}

export function setPlayOn(on: boolean): void {
  rememberOnDevice(key, on ? null : 'off')
  notify()
}
