import { useSyncExternalStore } from 'react'
import { rememberOnDevice } from './device-memory.ts'

export type Motion = 'system' | 'reduce'

const listeners = new Set<() => void>()

/** Sets how much moves, for this page and, remembered on the device, for the next ones (base.css). */
export function setMotion(motion: Motion): void {
  if (motion === 'system') delete document.documentElement.dataset.motion
  else document.documentElement.dataset.motion = motion
  rememberOnDevice('motion', motion === 'system' ? null : motion)
  for (const listener of listeners) listener()
}

export function useMotion(): Motion {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => (document.documentElement.dataset.motion === 'reduce' ? 'reduce' : 'system'),
    () => 'system',
  )
}
