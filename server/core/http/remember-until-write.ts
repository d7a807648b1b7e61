/** Remembers what is read from the database for a user until the user writes something. */
import type { VisitorCache } from './visitor-cache.ts'

interface Remembered<Value> {
  value: Promise<Value>
  /** `lastWriteOf` the user before it was read. */
  lastWrite: number
  expiresAt: number
}

/** Maximum number of values of one kind. The oldest ones are forgotten. */
const maxRemembered = 5000

/**
 * Returns a function that returns what `load` returned for the same key, unless `lastWriteOf` its viewer has changed since
 * (visitor-cache.ts), and otherwise calls it. Values are remembered as long as the responses that show them.
 * @param load reads what only writes of the viewer change, or those that may change everything
 * @param nameOf returns a text that identifies the key
 */
export function rememberUntilWrite<Key extends { viewerId: number }, Value>(
  { lastWriteOf, ttlMs }: VisitorCache,
  load: (key: Key) => Promise<Value>,
  nameOf: (key: Key) => string,
): (key: Key) => Promise<Value> {
  const remembered = new Map<string, Remembered<Value>>()
  return (key) => {
    const name = nameOf(key)
    const lastWrite = lastWriteOf(key.viewerId)
    const now = performance.now()
    const found = remembered.get(name)
    if (found !== undefined && found.lastWrite === lastWrite && found.expiresAt > now) return found.value
    const value = load(key)
    if (ttlMs === 0) return value
    remembered.delete(name)
    // The order of a Map is that of insertion: the first entry is the oldest.
    if (remembered.size >= maxRemembered) remembered.delete(remembered.keys().next().value as string)
    remembered.set(name, { value, lastWrite, expiresAt: now + ttlMs })
    value.catch(() => {
      if (remembered.get(name)?.value === value) remembered.delete(name)
    })
    return value
  }
}
