import { useSyncExternalStore } from 'react'
import { createListeners } from './create-listeners.ts'
import { writeLocalStorage } from './local-storage.ts'

export type Motion = 'system' | 'reduce'

const { subscribe, notify } = createListeners()

/** Sets the motion preference for this page and stores it for later pages (see base.css). */
export function setMotion(motion: Motion): void {
  if (motion === 'system') delete document.documentElement.dataset.motion
  else document.documentElement.dataset.motion = motion
  writeLocalStorage('motion', motion === 'system' ? null : motion)
  notify()
}

export function useMotion(): Motion {
  return useSyncExternalStore(
    subscribe,
    () => (document.documentElement.dataset.motion === 'reduce' ? 'reduce' : 'system'),
    () => 'system',
  )
}
