/**
 * Notifies all processes of what a write changed, for their visitor caches, and who wrote, for reads from a replica.
 * Changes are numbered by a sequence in the order in which they are announced. The number is read with the session of each
 * signed-in user. So no signed-in user sees an entry that is older than a write whose response was sent before, even if
 * this process was not notified of the write yet.
 */
import type { Db, Fragment, Sql } from '../database/database.ts'
import type { JobQueue } from '../database/jobs.ts'
import type { Replica } from '../database/replica.ts'
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
  /** Null if no cached response depends on the write. */
  change: CacheChange | null
  /** The user who wrote; null if it is not known. */
  user: number | null
}

/** What a write is applied to in this process. */
interface Receivers {
  visitorCache: VisitorCache
  replica: Replica | null
}

/** The number of the last change, as an expression. */
export function lastChangeNumber(db: Db): Fragment {
  return db`(select last_value from cache_changes)`
}

/**
 * Applies the changes that other processes announce. After the connection was lost, the cache is emptied, because changes
 * were missed.
 */
export async function subscribeToChanges(
  db: Sql,
  visitorCache: VisitorCache,
  replica: Replica | null = null,
): Promise<void> {
  const receivers = { visitorCache, replica }
  await db.listen(
    channel,
    (payload) => applyMessage(receivers, payload),
    () => void catchUp(db, receivers),
  )
}

/** Empties the cache and reads the number of the last change. Until then no signed-in user is served from the cache. */
async function catchUp(db: Sql, { visitorCache: cache, replica }: Receivers): Promise<void> {
  cache.appliedChange = -1
  cache.drop('everything')
  const rows = await db<{ number: number }[]>`select ${lastChangeNumber(db)} as number`.catch(() => [])
  // Without the number, the next message tells it.
  const [row] = rows
  if (row === undefined) return
  // Entries that were created before the number was read may be older than it.
  cache.drop('everything')
  replica?.requireForEveryone()
  cache.appliedChange = Math.max(cache.appliedChange, row.number)
}

function applyMessage(receivers: Receivers, payload: string): void {
  const { visitorCache: cache } = receivers
  const { number, origin, change, user } = JSON.parse(payload) as Message
  // A number is missing if a process could not announce its change.
  const isComplete = number <= cache.appliedChange + 1
  if (!isComplete) applyChange(receivers, 'everything', null)
  else if (origin !== cache.id) applyChange(receivers, change, user)
  cache.appliedChange = Math.max(cache.appliedChange, number)
}

/**
 * A write that names what it changed hides nothing, so that only the user who wrote has to see it immediately. Any other
 * write may have made something private, hidden or deleted.
 */
function applyChange(
  { visitorCache, replica }: Receivers,
  change: CacheChange | null,
  user: number | null,
): void {
  if (change !== null) visitorCache.drop(change)
  if (change !== 'everything') visitorCache.recordWrite(user)
  if (change === 'everything' || user === null) replica?.requireForEveryone()
  else replica?.requireForUser(user)
}

/** Announces that anything may have changed. For processes without a cache, such as the command line. */
export function announceUnknownChange(db: Sql): Promise<void> {
  return announce(db, { origin: '', change: 'everything', user: null })
}

/** Applies what a write changed here and in the other processes. Await it after the commit and before the response. */
export async function publishChange(
  deps: Receivers & { db: Sql },
  change: CacheChange | null,
  user: number | null,
): Promise<void> {
  applyChange(deps, change, user)
  // The write is committed, so a failure is no error: processes that are not notified serve outdated responses for a moment.
  await announce(deps.db, { origin: deps.visitorCache.id, change, user }).catch(() => {})
}

/** Returns a queue whose jobs announce what they changed, like writes. */
export function announceJobChanges<Data extends object>(
  deps: Receivers & { db: Sql },
  queue: JobQueue<Data>,
): JobQueue<Data> {
  if (!queue.changesResponses) return queue
  const work = async (data: Data) => {
    try {
      await queue.work(data)
    } finally {
      // A job that failed may have changed something before.
      await publishChange(deps, 'everything', null)
    }
  }
  return { ...queue, work }
}

/** The lock makes the order of the messages that of their numbers. It is held for the time of a short commit. */
async function announce(db: Sql, { origin, change, user }: Omit<Message, 'number'>): Promise<void> {
  const isTooLong = Array.isArray(change) && change.join().length > maxTagBytes
  const message = JSON.stringify({ origin, change: isTooLong ? 'everything' : change, user })
  await db`
    with locked as materialized (select pg_advisory_xact_lock(${announcing})),
         numbered as materialized (select nextval('cache_changes') as number from locked)
    select pg_notify(${channel}, (${message}::jsonb || jsonb_build_object('number', number))::text) from numbered`
}
