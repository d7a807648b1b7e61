/** The last `/` that was pressed before the shortcuts were loaded; null without one. The shortcuts then act on it. */
let pressed: KeyboardEvent | null = null

function onKey(event: KeyboardEvent): void {
  if (event.key === '/') pressed = event
}

/** Remembers a `/` until the shortcuts are loaded. Returns a function that stops listening. */
export function rememberEarlyKey(): () => void {
  window.addEventListener('keydown', onKey)
  return stopRemembering
}

function stopRemembering(): void {
  window.removeEventListener('keydown', onKey)
}

/** Returns the remembered key once, and stops remembering. */
export function takeEarlyKey(): KeyboardEvent | null {
  stopRemembering()
  const event = pressed
  pressed = null
  return event
}
