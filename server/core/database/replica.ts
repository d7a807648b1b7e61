/**
 * Decides which reads go to a streaming replica, and checks how current it is.
 *
 * All times are `performance.now()` of this process, so that no clocks are compared. The position of the primary in its
 * write-ahead log is read at a known time; once the replica has replayed that position, it contains everything that was
 * committed before that time. Reasons and alternatives: docs/decisions/0043-read-replica.md.
 */
import type { Log } from '../log.ts'
import { connect, type Sql } from './database.ts'
import { createFallbackReads } from './fallback-reads.ts'

export interface ReadSource {
  db: Sql
  /** Everything that was committed before this time is in the replica. */
  currentUntil: number
}

type Reader = { id: number; account_age: number }

export interface Replica {
  /** Returns the replica if it contains everything that the viewer must see, and null if the primary must be read. */
  choose(viewer: Reader | null): ReadSource | null
  /** Returns whether what was read from the replica contains everything that the viewer must see. */
  containsWritesOf(viewer: Reader | null, currentUntil: number): boolean
  /** Requires that what a user wrote before now is read from the primary, by that user, until the replica contains it. */
  requireForUser(userId: number): void
  /** Requires that everyone reads from the primary until the replica contains everything written before now. */
  requireForEveryone(): void
  status(): ReplicaStatus
  end(): Promise<void>
}

export interface ReplicaStatus {
  /**
   * `used`; `behind`: more than `maxLagMs` old; `unreachable`: no answer; `refused`: not a replica of this primary.
   */
  state: 'used' | 'behind' | 'unreachable' | 'refused'
  /** How old what the replica contains is at most, in seconds; null if it is not known. */
  lag_seconds: number | null
}

/** A replica that is older is not used. */
export const maxLagMs = 5_000

/** Accounts younger than this are read from the primary, because a replica that is used contains older ones. */
const newAccountSeconds = 10

/** The pause between two checks. */
const pauseMs = 250
/** The pause while users read from the primary because the replica does not contain what they wrote. */
const shortPauseMs = 20

/** After this time a check has failed. A replica that does not respond delays requests by no more. */
const checkTimeoutMs = 2_000

/** How long the users who wrote are remembered: longer than a response that was read from the replica is cached. */
const rememberMs = 3_000

/** Maximum number of users who are remembered because they wrote. With more, everyone reads from the primary. */
const maxWriters = 10_000

interface Options {
  primaryUrl: string
  replicaUrl: string
  log: Pick<Log, 'info' | 'warn'>
}

interface Sample {
  time: number
  position: number
}

/** Starts checking the replica. It is not used before the first check, and its absence is no error. */
export function openReplica(primary: Sql, { primaryUrl, replicaUrl, log }: Options): Replica {
  const ending = new AbortController()
  const openChecks = (url: string) => connect(url, { applicationName: 'reelmark replica check', max: 1 })
  const primaryChecks = openChecks(primaryUrl)
  let replicaChecks = openChecks(replicaUrl)
  let pool: Sql | null = null
  let status: ReplicaStatus['state'] | 'new' = 'new'
  let repeated = 0
  /** Positions of the primary that the replica has not replayed yet, oldest first, and the newest that it has. */
  let samples: Sample[] = []
  let currentUntil = Number.NEGATIVE_INFINITY
  let requiredByEveryone = performance.now()
  const requiredByUser = new Map<number, number>()
  let lastRequired = requiredByEveryone
  let timer: NodeJS.Timeout | null = null
  let nextCheckAt = 0
  let checking: Promise<void> = Promise.resolve()

  const reads = createFallbackReads(
    primary,
    () => pool,
    (error) => {
      repeated += 1
      if (repeated === 1)
        log.warn({ err: error }, 'a read failed on the replica and was repeated on the primary')
    },
  )

  function setState(state: ReplicaStatus['state'], reason = ''): void {
    if (state === status) return
    status = state
    const facts = { replica: state, repeatedReads: repeated }
    if (state === 'used') log.info(facts, 'the replica is used')
    else log.warn(facts, `the replica is not used, reads go to the primary: ${reason}`)
    repeated = 0
  }

  /** Closes the connections, so that statements that wait for the replica fail and are repeated on the primary. */
  function disconnect(): void {
    const [lostPool, lostChecks] = [pool, replicaChecks]
    pool = null
    replicaChecks = openChecks(replicaUrl)
    void lostPool?.end({ timeout: 0 })
    void lostChecks.end({ timeout: 0 })
  }

  async function check(): Promise<void> {
    const time = performance.now()
    try {
      const primaryFacts = await withTimeout(readPrimary(primaryChecks))
      samples.push({ time, position: primaryFacts.position })
      await checkReplica(primaryFacts)
    } catch {
      // Without the position of the primary, `currentUntil` stays the same until it is too old.
      if (performance.now() - currentUntil > maxLagMs) setState('behind', 'the primary does not respond.')
    }
  }

  async function checkReplica(primaryFacts: ServerFacts): Promise<void> {
    let facts: ServerFacts
    try {
      facts = await withTimeout(readReplica(replicaChecks))
    } catch (error) {
      if (ending.signal.aborted) return
      currentUntil = Number.NEGATIVE_INFINITY
      disconnect()
      return setState('unreachable', (error as Error).message)
    }
    const problem = findProblem(facts, primaryFacts)
    if (problem !== null) {
      currentUntil = Number.NEGATIVE_INFINITY
      return setState('refused', problem)
    }
    const replayed = samples.findLastIndex(({ position }) => position <= facts.position)
    if (replayed >= 0) {
      currentUntil = samples[replayed]?.time ?? currentUntil
      samples = samples.slice(replayed)
    }
    // The newest are dropped, because the replica reaches the oldest first.
    samples.length = Math.min(samples.length, 2_000)
    for (const [userId, time] of requiredByUser) {
      if (time < currentUntil - rememberMs) requiredByUser.delete(userId)
    }
    if (performance.now() - currentUntil > maxLagMs) {
      return setState('behind', `it is more than ${maxLagMs / 1000} seconds behind.`)
    }
    pool ??= connect(replicaUrl, { applicationName: 'reelmark read' })
    setState('used')
  }

  function schedule(ms: number): void {
    if (timer !== null) clearTimeout(timer)
    if (ending.signal.aborted) return
    nextCheckAt = performance.now() + ms
    timer = setTimeout(() => {
      timer = null
      checking = check().then(() => schedule(isAwaited() ? shortPauseMs : pauseMs))
    }, ms)
    timer.unref()
  }

  const isAwaited = () => status === 'used' && lastRequired >= currentUntil
  const isUsable = () => status === 'used' && performance.now() - currentUntil <= maxLagMs

  /** Checks soon. `timer` is null while a check runs, which schedules the next one itself. */
  function checkSoon(): void {
    const isLater = nextCheckAt > performance.now() + shortPauseMs
    if (status === 'used' && timer !== null && isLater) schedule(shortPauseMs)
  }

  function containsWritesOf(viewer: Reader | null, until: number): boolean {
    if (requiredByEveryone >= until) return false
    if (viewer === null) return true
    return viewer.account_age > newAccountSeconds && (requiredByUser.get(viewer.id) ?? -1) < until
  }

  function requireForEveryone(): void {
    requiredByEveryone = lastRequired = performance.now()
    requiredByUser.clear()
    checkSoon()
  }

  schedule(0)
  return {
    choose(viewer) {
      return isUsable() && containsWritesOf(viewer, currentUntil) ? { db: reads, currentUntil } : null
    },
    containsWritesOf,
    requireForUser(userId) {
      if (requiredByUser.size >= maxWriters) return requireForEveryone()
      lastRequired = performance.now()
      requiredByUser.set(userId, lastRequired)
      checkSoon()
    },
    requireForEveryone,
    status() {
      const lag = performance.now() - currentUntil
      const state = status === 'new' ? 'unreachable' : status === 'used' && !isUsable() ? 'behind' : status
      return { state, lag_seconds: Number.isFinite(lag) ? Math.round(lag / 100) / 10 : null }
    },
    async end() {
      ending.abort()
      if (timer !== null) clearTimeout(timer)
      const pools = [primaryChecks, replicaChecks, ...(pool === null ? [] : [pool])]
      await Promise.all([checking, ...pools.map((connections) => connections.end({ timeout: 5 }))])
    },
  }
}

interface ServerFacts {
  /** Bytes of the write-ahead log that were flushed by a primary, or replayed by a replica. */
  position: number
  isReplica: boolean
  /** Equal in a primary and its replicas. */
  identity: string
  /** Incremented by each failover. 0 if it is not known. */
  timeline: number
}

/** Columns that identify cluster and database. */
const identity = `
  (select system_identifier from pg_control_system())::text || '/' ||
  (select oid from pg_database where datname = current_database()) as identity`

/** @throws if the server is a replica too */
async function readPrimary(db: Sql): Promise<ServerFacts> {
  const [row] = await db.unsafe<[ServerFacts]>(`
    select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint as position, false as "isReplica", ${identity},
           ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline`)
  return row
}

async function readReplica(db: Sql): Promise<ServerFacts> {
  const [row] = await db.unsafe<[ServerFacts]>(`
    select coalesce(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0'), 0)::bigint as position,
           pg_is_in_recovery() as "isReplica", ${identity},
           (select min_recovery_end_timeline from pg_control_recovery()) as timeline`)
  return row
}

/** Returns why a server is not used as the replica of a primary, or null. */
function findProblem(replica: ServerFacts, primary: ServerFacts): string | null {
  if (replica.identity !== primary.identity) return 'it is another database than that of DATABASE_URL.'
  if (!replica.isReplica) return 'the server of DATABASE_READ_URL is not a standby.'
  // After a failover it may have replayed changes that the new primary does not have.
  if (replica.timeline !== 0 && replica.timeline !== primary.timeline)
    return 'it does not follow the primary.'
  return null
}

async function withTimeout<T>(result: Promise<T>): Promise<T> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error('It does not respond.')), checkTimeoutMs)
  try {
    return await Promise.race([result, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}
