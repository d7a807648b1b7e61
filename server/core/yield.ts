/** Lets other requests run during long work. */
import { setImmediate } from 'node:timers/promises'

/** How many milliseconds a loop may run before it lets other work run. */
const maxMs = 5

let latestTurn: Promise<void> = Promise.resolve()

/**
 * Waits until other work of the process has run. Those who wait continue one by one, each in a turn of the event loop
 * of its own: five loops that continued in the same turn would stop all requests five times as long.
 */
export function nextTurn(): Promise<void> {
  latestTurn = latestTurn.then(() => setImmediate())
  return latestTurn
}

/**
 * Returns a function to await between the rows of a loop: after five milliseconds it lets other work of the process run.
 * Without it, a loop over many long texts stops all requests of the process until it ends.
 */
export function createYield(): () => Promise<void> {
  let start = performance.now()
  return async () => {
    if (performance.now() - start < maxMs) return
    await nextTurn()
    start = performance.now()
  }
}
