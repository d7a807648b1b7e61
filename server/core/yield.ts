/** Lets other requests run during long loops. */
import { setImmediate } from 'node:timers/promises'

/** How many milliseconds a loop may run before it lets other work run. */
const maxMs = 10

/**
 * Returns a function to await between the rows of a loop: after ten milliseconds it lets other work of the process run.
 * Without it, a loop over many long texts stops all requests of the process until it ends.
 */
export function createYield(): () => Promise<void> {
  let start = performance.now()
  return async () => {
    if (performance.now() - start < maxMs) return
    await setImmediate()
    start = performance.now()
  }
}
