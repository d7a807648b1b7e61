import { useEffect, useRef, useSyncExternalStore } from 'react'
import { createListeners } from './create-listeners.ts'
import { readLocalStorage, writeLocalStorage } from './local-storage.ts'

const storageKey = 'single-keys'
const { subscribe, notify } = createListeners()

function areSingleKeyShortcutsOn(): boolean {
  return readLocalStorage(storageKey) !== 'off'
}

/** Turns single-character shortcuts on or off on this device. Voice control can type them by accident (WCAG 2.1.4). */
export function setSingleKeyShortcuts(on: boolean): void {
  writeLocalStorage(storageKey, on ? null : 'off')
  notify()
}

export function useSingleKeyShortcuts(): boolean {
  return useSyncExternalStore(subscribe, areSingleKeyShortcutsOn, () => true)
}

/** Returns whether a key belongs to a focused field or dialog, or to the browser because a modifier is held. */
function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return true
  const { target } = event
  return isInField(target) || (target instanceof Element && target.closest('dialog') !== null)
}

/** Returns whether the target of an event is a field that takes text or a choice, or is inside one. */
export function isInField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}

/** Returns whether the page should handle a key: it is not typed into a field, and shortcuts are on. */
export function isShortcut(event: KeyboardEvent): boolean {
  return !isTyping(event) && (event.key.length > 1 || areSingleKeyShortcutsOn())
}

/** Registers keyboard shortcuts while the component is mounted: `{ l: like }`. */
export function useShortcuts(keys: Readonly<Record<string, () => void>>): void {
  const current = useRef(keys)
  useEffect(() => {
    current.current = keys
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || !isShortcut(event)) return
      const run = Object.hasOwn(current.current, event.key) ? current.current[event.key] : undefined
      if (run === undefined) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
