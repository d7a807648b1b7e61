/**
 * Tells the visitor caches of all processes what a write changed. Changes are numbered by a sequence in the order in
 * which they are announced. The number is read with the session of each signed-in user, who therefore never sees an
 * entry that is older than a write whose response was sent before, not even if this process did not hear of it yet.
 */
import type { Db, Fragment, Sql } from '../database/database.ts'
import type { CacheChange, VisitorCache } from './visitor-cache.ts'

const channel = 'cache_changes'

/** Key of an advisory lock. */
const announcing = 7_305_111_938

/** Bytes of a message that PostgreSQL accepts, with room for everything but the tags. */
const maxTagBytes = 7000

interface Message {
  number: number
  /** The cache of the process that wrote, which dropped its entries itself. */
  origin: string
  change: CacheChange
}

/** The number of the last change, as an expression. */
export function lastChangeNumber(db: Db): Fragment {
  return db`(select last_value from cache_changes)`
}

/**
 * Applies the changes that other processes announce. After the connection was lost, the cache is emptied, because changes
 * were missed.
 */
export async function subscribeToChanges(db: Sql, cache: VisitorCache): Promise<void> {
  await db.listen(
    channel,
    (payload) => applyMessage(cache, payload),
    () => void catchUp(db, cache),
  )
}

/** Empties the cache and reads the number of the last change. Until then no signed-in user is served from the cache. */
async function catchUp(db: Sql, cache: VisitorCache): Promise<void> {
  cache.appliedChange = -1
  cache.drop('everything')
  const rows = await db<{ number: number }[]>`select ${lastChangeNumber(db)} as number`.catch(() => [])
  // Without the number, the next message tells it.
  const [row] = rows
  if (row === undefined) return
  // Entries that were created before the number was read may be older than it.
  cache.drop('everything')
  cache.appliedChange = Math.max(cache.appliedChange, row.number)
}

function applyMessage(cache: VisitorCache, payload: string): void {
  const { number, origin, change } = JSON.parse(payload) as Message
  // A number is missing if a process could not announce its change.
  const isComplete = number <= cache.appliedChange + 1
  if (!isComplete) cache.drop('everything')
  else if (origin !== cache.id) cache.drop(change)
  cache.appliedChange = Math.max(cache.appliedChange, number)
}

/** Announces that anything may have changed. For processes without a cache, such as the command line. */
export function announceUnknownChange(db: Sql): Promise<void> {
  return announce(db, '', 'everything')
}

/** Drops what a write changed here and in the other processes. Await it after the commit and before the response. */
export async function publishChange(db: Sql, cache: VisitorCache, change: CacheChange): Promise<void> {
  cache.drop(change)
  // The write is committed. If the others cannot be told, they serve outdated responses for a second; no error.
  await announce(db, cache.id, change).catch(() => {})
}

/** The lock makes the order of the messages that of their numbers. It is held for the time of a short commit. */
async function announce(db: Sql, origin: string, change: CacheChange): Promise<void> {
  const isTooLong = change !== 'everything' && change.join().length > maxTagBytes
  const message = JSON.stringify({ origin, change: isTooLong ? 'everything' : change })
  await db`
    with locked as materialized (select pg_advisory_xact_lock(${announcing})),
         numbered as materialized (select nextval('cache_changes') as number from locked)
    select pg_notify(${channel}, (${message}::jsonb || jsonb_build_object('number', number))::text) from numbered`
}
