/**
 * What every visitor is shown alike, kept for a second: pages and lists without anybody's session in them. Under load
 * a popular page is made once a second instead of for each of the hundreds who ask.
 *
 * Nobody sees what is no longer so: each write clears the cache of its own process before it is answered, and tells the
 * other processes through the database; what is written by other means (the operator's command line) shows within the
 * second. Reasons and figures: docs/decisions/0007-visitor-cache.md.
 */
import type { Sql } from '../database/database.ts'

export interface VisitorCache {
  /** What was made for `key` within the last second; else makes it. Who asks meanwhile waits for the same. */
  getOrCreate<M extends CachedResponse>(key: string, create: () => Promise<M>): Promise<M>
  /** Something was written: nothing that was made, or begun, before is shown any more. */
  clear(): void
}

export interface CachedResponse {
  status: number
  /** Bytes, which go out as they are, or a text in pieces. */
  body: Buffer | string[]
}

/** Bytes or characters in all; beyond it the cache starts anew. */
const maxSize = 64 * 1024 * 1024

/** @param ttlMs milliseconds; 0 keeps nothing, as tests want it that write past the server */
export function createVisitorCache(ttlMs = 1000): VisitorCache {
  let entries = new Map<string, { made: Promise<CachedResponse>; until: number }>()
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
      const there = entries.get(key)
      // A key says what kind of thing is kept under it.
      if (there !== undefined && there.until > now) return there.made as ReturnType<typeof create>
      const created = create()
      const into = entries
      const entry = { made: created, until: Number.POSITIVE_INFINITY }
      into.set(key, entry)
      created.then(
        ({ status, body }) => {
          // Only what succeeded is the same for everyone a moment later.
          if (status !== 200) return void into.delete(key)
          entry.until = performance.now() + ttlMs
          size += Buffer.isBuffer(body) ? body.length : body.reduce((sum, piece) => sum + piece.length, 0)
          if (size > maxSize && into === entries) clear()
        },
        () => into.delete(key),
      )
      return created
    },
  }
}

const invalidationChannel = 'cache_invalidated'

/** Clears the cache whenever a process says that it wrote, and after the connection was lost in between. */
export async function subscribeToInvalidation(db: Sql, cache: VisitorCache): Promise<void> {
  await db.listen(invalidationChannel, cache.clear, cache.clear)
}

/** To be awaited after a write and before its answer. */
export async function publishInvalidation(db: Sql, cache: VisitorCache): Promise<void> {
  cache.clear()
  // The write is committed: that others could not be told, and show the old for a second, must not call it failed.
  await db.notify(invalidationChannel, '').catch(() => {})
}
