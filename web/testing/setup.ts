/**
 * Runs before each test file of the web package. Several files share a worker, its jsdom and its loaded libraries. This
 * resets our own modules, which hold state, and undoes changes of the previous file.
 */
import { focusManager, onlineManager } from '@tanstack/react-query'
import { cleanup } from '@testing-library/react'
import { afterAll, vi } from 'vitest'

vi.resetModules()

afterAll(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  onlineManager.setOnline(true)
  focusManager.setFocused(undefined)
  // The tests of the build run without jsdom.
  if (typeof document === 'undefined') return
  localStorage.clear()
  sessionStorage.clear()
  document.head.replaceChildren()
  document.body.replaceChildren()
  document.title = ''
  for (const element of [document.documentElement, document.body]) {
    for (const { name } of [...element.attributes]) element.removeAttribute(name)
  }
  window.history.replaceState(null, '', '/')
  // Methods that jsdom lacks and a test file added.
  for (const { owner, name } of missingMethods) Reflect.deleteProperty(owner, name)
})

const missingMethods =
  typeof document === 'undefined'
    ? []
    : [
        { owner: HTMLDialogElement.prototype, name: 'showModal' },
        { owner: HTMLDialogElement.prototype, name: 'close' },
        { owner: HTMLElement.prototype, name: 'hidePopover' },
        { owner: HTMLElement.prototype, name: 'showPopover' },
        { owner: Element.prototype, name: 'scrollIntoView' },
      ]

/** jsdom does no layout, so nothing is ever resized. */
globalThis.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
