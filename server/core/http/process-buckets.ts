/** Token buckets in the memory of a process. They cost no database write, and are lost when the process ends. */
import type { RateLimit } from './rate-limit-config.ts'

export interface ProcessBuckets {
  /** Takes one token. Returns 0, or the seconds until the next token. A scale of 0 turns the limit off. */
  consume(key: string, limit: RateLimit, scale: number): number
  /** Returns a token that was just taken, for a request that will take it again. */
  refund(key: string): void
}

/**
 * Maximum number of buckets, about 10 MB. Beyond it the one that was used least recently is forgotten, and so full again:
 * an attacker with more addresses than this is not held up by limits per address anyway.
 */
const maxBuckets = 50_000

/** Creates the buckets. `now` returns milliseconds. */
export function createProcessBuckets(now = () => performance.now()): ProcessBuckets {
  const buckets = new Map<string, { tokens: number; updatedAt: number }>()
  return {
    consume(key, { tokens, seconds }, scale) {
      if (scale === 0) return 0
      const size = Math.max(1, tokens * scale)
      const perSecond = size / seconds
      const time = now()
      const bucket = buckets.get(key) ?? { tokens: size, updatedAt: time }
      bucket.tokens = Math.min(size, bucket.tokens + ((time - bucket.updatedAt) / 1000) * perSecond)
      bucket.updatedAt = time
      // The order of a Map is that of insertion: the first entry is the one used least recently.
      buckets.delete(key)
      buckets.set(key, bucket)
      if (buckets.size > maxBuckets) buckets.delete(buckets.keys().next().value as string)
      if (bucket.tokens < 1) return (1 - bucket.tokens) / perSecond
      bucket.tokens -= 1
      return 0
    },
    refund(key) {
      const bucket = buckets.get(key)
      if (bucket !== undefined) bucket.tokens += 1
    },
  }
}
