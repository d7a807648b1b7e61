/**
 * Caches responses that are the same for every visitor (pages and lists) for a second, so that under load a popular
 * page is rendered once per second instead of once per request.
 *
 * Visitors do not get outdated responses: each write clears the cache of its process before its response is sent, and
 * notifies the other processes through the database. Changes by other means (the command line) show within a second.
 * Reasons and figures: docs/decisions/0007-visitor-cache.md.
 */
import type { Sql } from '../database/database.ts'

export interface VisitorCache {
  /** Returns the cached response for `key`, or creates it. Concurrent calls share one creation. */
  getOrCreate<M extends CachedResponse>(key: string, create: () => Promise<M>): Promise<M>
  /** Empties the cache. Responses whose creation has already started are not served to later requests. */
  clear(): void
}

interface CachedResponse {
  status: number
  /** Bytes to send as they are, or a text in parts. */
  body: Buffer | string[]
}

/** Maximum size of all entries with their keys, in bytes or characters. The cache is emptied when it exceeds it. */
const maxSize = 64 * 1024 * 1024

/**
 * Creates a cache.
 * @param ttlMs lifetime of entries in milliseconds; 0 turns the cache off, for tests that write to the database
 */
export function createVisitorCache(ttlMs = 1000): VisitorCache {
  let entries = new Map<string, { response: Promise<CachedResponse>; expiresAt: number }>()
  let size = 0
  const clear = () => {
    entries = new Map()
    size = 0
  }
  return {
    clear,
    getOrCreate(key, create) {
      if (ttlMs === 0) return create()
      const now = performance.now()
      const cached = entries.get(key)
      // Each key always stores the same type of response.
      if (cached !== undefined && cached.expiresAt > now) return cached.response as ReturnType<typeof create>
      const created = create()
      const currentEntries = entries
      const entry = { response: created, expiresAt: Number.POSITIVE_INFINITY }
      currentEntries.set(key, entry)
      created.then(
        ({ status, body }) => {
          // Errors may be gone a moment later.
          if (status !== 200) return void currentEntries.delete(key)
          entry.expiresAt = performance.now() + ttlMs
          size +=
            key.length +
            (Buffer.isBuffer(body) ? body.length : body.reduce((sum, part) => sum + part.length, 0))
          if (size > maxSize && currentEntries === entries) clear()
        },
        () => currentEntries.delete(key),
      )
      return created
    },
  }
}

const invalidationChannel = 'cache_invalidated'

/** Clears the cache when another process publishes an invalidation, and after the connection was lost in between. */
export async function subscribeToInvalidation(db: Sql, cache: VisitorCache): Promise<void> {
  await db.listen(invalidationChannel, cache.clear, cache.clear)
}

/** Clears the caches of all server processes. For processes without a cache, such as the command line. */
export function notifyOfChanges(db: Sql): Promise<void> {
  return db.notify(invalidationChannel, '')
}

/** Clears the cache here and in the other processes. Await it after a write and before sending the response. */
export async function publishInvalidation(db: Sql, cache: VisitorCache): Promise<void> {
  cache.clear()
  // The write is committed. If the others cannot be notified, they serve outdated responses for a second; no error.
  await notifyOfChanges(db).catch(() => {})
}
