/**
 * Caches for a second what every visitor sees, so that under load a popular page or list is created once per second
 * instead of once per request. Signed-in users share these entries (endpoints.ts).
 *
 * Each entry depends on tags, such as `video:7`. A write drops the entries that depend on what it changed, in its own
 * process before its response is sent, and in the others through the database (cache-changes.ts).
 * Reasons and figures: docs/decisions/0038-shared-responses.md.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'

/**
 * What a response shows and a write changes. `listing` is the selection and order of all lists of bookmarks; `collection` and
 * `channel` are the manual order of one.
 */
export type CacheTag =
  | 'listing'
  | `video:${number}`
  | `user:${number}`
  | `likes-of:${string}`
  | `collection:${number}`
  | `channel:${number}`

/** What a write changed; `everything` if it is not known. */
export type CacheChange = readonly CacheTag[] | 'everything'

export interface VisitorCache {
  /** Identifies this cache in the messages of all processes. */
  readonly id: string
  /** Lifetime of entries in milliseconds; 0 if the cache is off. */
  readonly ttlMs: number
  /** The number of the last change that was applied to this cache, or -1 if changes may have been missed. */
  appliedChange: number
  /**
   * Returns the cached response for `key`, or creates it. Concurrent calls share one creation.
   * @param lifetimeMs lifetime of the created entry in milliseconds; by default that of the cache
   */
  getOrCreate<M extends CachedResponse>(
    key: string,
    create: () => Promise<M>,
    lifetimeMs?: number,
  ): Promise<M>
  /** Returns the cached response for `key` if it is created already; null during the creation of another response. */
  find(key: string): CachedResponse | null
  /** Counts a request that was answered with a response that `find` returned. */
  countHit(): void
  /**
   * Drops the entries that a write changed. Responses whose creation has already started are not served later. `everything`
   * counts as a write of every user.
   */
  drop(change: CacheChange): void
  /** Records a write of a user, or of any user if it is not known whose. */
  recordWrite(userId: number | null): void
  /** Returns a number that is another one after a write of the user, for what is read from the database for this user. */
  lastWriteOf(userId: number): number
  /** Returns whether every change up to this number was applied, so that no entry is older than it. */
  isCurrent(changeNumber: number): boolean
  /** Returns how many requests were answered from an entry and how many created one, and the current size. */
  statistics(): { hits: number; misses: number; entries: number; size: number }
}

export interface CachedResponse {
  status: number
  /** A text to send as it is, or its parts. */
  body: string | string[]
  /** What the bytes were serialized from, for responses that are completed for each viewer. */
  value?: unknown
  /** For a response read from the replica, the time before which everything committed is in it (replica.ts). */
  currentUntil?: number
}

interface Entry {
  key: string
  response: Promise<CachedResponse>
  /** Null while the response is being created. */
  created: CachedResponse | null
  expiresAt: number
  size: number
  /** Empty while the response is being created, and if the entry depends on everything. */
  tags: ReadonlySet<CacheTag>
}

/** Maximum size of all entries with their keys, in characters. The oldest entries beyond it are dropped. */
const maxSize = 32 * 1024 * 1024

/**
 * How many times the size of its text a value takes in memory: measured 1.1 for a page of cards, rounded up, and 1 for the
 * text with marks (shared-responses.ts).
 */
const valueSizeFactor = 3

/** Maximum number of users whose last write is remembered. Beyond it, all of them count as having written. */
const maxWriters = 10_000

/** The tags of the response that is being created; null once it depends on everything. */
const collector = new AsyncLocalStorage<{ tags: Set<CacheTag>; isUnknown: boolean }>()

/**
 * Names what the response that is being created depends on. A response whose creation calls this never depends on
 * everything. Does nothing outside such a creation.
 */
export function dependOn(tags: Iterable<CacheTag>): void {
  const found = collector.getStore()
  if (found !== undefined) for (const tag of tags) found.tags.add(tag)
}

/** Declares that what the response being created depends on is not known: any write drops it. */
export function dependOnEverything(): void {
  const found = collector.getStore()
  if (found !== undefined) found.isUnknown = true
}

/**
 * Creates a cache.
 * @param ttlMs lifetime of entries in milliseconds; 0 turns the cache off, for tests that write to the database
 */
export function createVisitorCache(ttlMs = 1000): VisitorCache {
  const entries = new Map<string, Entry>()
  const pending = new Set<Entry>()
  const entriesByTag = new Map<CacheTag | 'everything', Set<Entry>>()
  const lastWrites = new Map<number, number>()
  let lastWrite = 0
  let lastWriteOfAll = 0
  let size = 0
  let hits = 0
  let misses = 0

  const tagsOf = ({ tags }: Entry): Iterable<CacheTag | 'everything'> =>
    tags.size === 0 ? ['everything'] : tags

  function remove(entry: Entry): void {
    if (entries.get(entry.key) !== entry) return
    entries.delete(entry.key)
    if (pending.delete(entry)) return
    size -= entry.size
    for (const tag of tagsOf(entry)) {
      const tagged = entriesByTag.get(tag)
      tagged?.delete(entry)
      if (tagged?.size === 0) entriesByTag.delete(tag)
    }
  }

  /** Adds a created response, unless it was dropped meanwhile. */
  function add(entry: Entry, created: CachedResponse, lifetimeMs: number): void {
    if (!pending.delete(entry)) return
    const { body, value } = created
    entry.created = created
    entry.expiresAt = performance.now() + lifetimeMs
    const bodySize = [body].flat().reduce((sum, part) => sum + part.length, 0)
    entry.size = entry.key.length + bodySize * (value === undefined ? 1 : 1 + valueSizeFactor)
    size += entry.size
    for (const tag of tagsOf(entry)) {
      const tagged = entriesByTag.get(tag)
      if (tagged === undefined) entriesByTag.set(tag, new Set([entry]))
      else tagged.add(entry)
    }
    removeOldest()
  }

  /** Drops expired entries and those beyond the maximum size. A Map is in the order in which entries were added. */
  function removeOldest(): void {
    const now = performance.now()
    for (const entry of entries.values()) {
      if (entry.expiresAt > now && size <= maxSize) return
      if (!pending.has(entry)) remove(entry)
    }
  }

  /** Keeps the object of an unchanged response, and so what was prepared from its text: compressed bodies and split texts. */
  function reuse<M extends CachedResponse>(outdated: Entry | undefined, created: M): M {
    const former = outdated?.created as M | null | undefined
    return former != null && former.body === created.body ? Object.assign(former, created) : created
  }

  function create<M extends CachedResponse>(
    key: string,
    createResponse: () => Promise<M>,
    lifetimeMs: number,
  ): Entry {
    const found = { tags: new Set<CacheTag>(), isUnknown: false }
    const outdated = entries.get(key)
    const response = collector.run(found, createResponse).then((created) => reuse(outdated, created))
    const entry: Entry = {
      key,
      response,
      created: null,
      expiresAt: Number.POSITIVE_INFINITY,
      size: 0,
      tags: new Set(),
    }
    if (outdated !== undefined) remove(outdated)
    entries.set(key, entry)
    pending.add(entry)
    response.then(
      (created) => {
        if (!found.isUnknown) entry.tags = found.tags
        // Errors may be gone a moment later.
        if (created.status === 200) add(entry, created, lifetimeMs)
        else remove(entry)
      },
      () => remove(entry),
    )
    return entry
  }

  /** Makes the response being created, if any, depend on what an entry that it contains depends on. */
  async function inherit(entry: Entry): Promise<CachedResponse> {
    const response = await entry.response
    if (entry.tags.size === 0) dependOnEverything()
    else dependOn(entry.tags)
    return response
  }

  function recordWrite(userId: number | null): void {
    lastWrite += 1
    if (userId !== null) lastWrites.set(userId, lastWrite)
    if (userId !== null && lastWrites.size <= maxWriters) return
    lastWrites.clear()
    lastWriteOfAll = lastWrite
  }

  return {
    id: randomUUID(),
    ttlMs,
    appliedChange: -1,
    getOrCreate(key, createResponse, lifetimeMs = ttlMs) {
      if (ttlMs === 0) return createResponse()
      const cached = entries.get(key)
      const isCached = cached !== undefined && cached.expiresAt > performance.now()
      if (isCached) hits += 1
      else misses += 1
      const entry = isCached ? cached : create(key, createResponse, lifetimeMs)
      const response = collector.getStore() === undefined ? entry.response : inherit(entry)
      // Each key always stores the same type of response.
      return response as ReturnType<typeof createResponse>
    },
    find(key) {
      const entry = entries.get(key)
      if (entry === undefined || entry.created === null || entry.expiresAt <= performance.now()) return null
      // A page that contains the response must learn what it depends on.
      if (collector.getStore() !== undefined) return null
      return entry.created
    },
    countHit() {
      hits += 1
    },
    drop(change) {
      if (change === 'everything') recordWrite(null)
      const tags = change === 'everything' ? [...entriesByTag.keys()] : [...change, 'everything' as const]
      // What a response that is being created depends on is not known yet.
      for (const entry of [...pending]) remove(entry)
      for (const tag of tags) for (const entry of [...(entriesByTag.get(tag) ?? [])]) remove(entry)
    },
    recordWrite,
    lastWriteOf: (userId) => lastWrites.get(userId) ?? lastWriteOfAll,
    isCurrent(changeNumber) {
      return ttlMs > 0 && this.appliedChange >= changeNumber
    },
    statistics: () => ({ hits, misses, entries: entries.size, size }),
  }
}
