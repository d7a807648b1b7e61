import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { openPool, type Sql, type TransactionSql } from './pool.ts'
import type { Fragment } from './statement.ts'

export type { Sql, TransactionSql } from './pool.ts'
export type { Argument, Fragment } from './statement.ts'
/** The first parameter of every query function: the pool, or the transaction the route opened. */
export type Db = Sql | TransactionSql

/** A whole number as a literal: with a parameter, the planner would not know how many rows a limit leaves. */
export function inlineNumber(db: Db, value: number): Fragment {
  return db.unsafe(String(Math.trunc(value))) as Fragment
}

/** A whole number that the planner does not know. It then plans for a tenth of the rows. */
export function hiddenNumber(db: Db, value: number): Fragment {
  return db`(select ${inlineNumber(db, value)}::bigint)`
}

type ConnectOptions = {
  /** The maximum number of connections, which are opened when needed. */
  max?: number
  /** The name shown in pg_stat_activity. */
  applicationName?: string
  /** Milliseconds after which the server cancels a statement (57014); 0 for never. */
  statementTimeout?: number
  /** Multiplies every timeout; for tests, which may run on a busy machine. */
  timeoutScale?: number
  /** Called with the text of every statement; tests count statements with it. */
  onQuery?: (text: string) => void
  onNotice?: (message: string) => void
}

/**
 * Returns a pool of connections to `url` (postgres://…). It connects on the first statement, and again after a failure.
 *
 * The timeouts (2 s to connect, 4 s for a statement) were chosen so that clients survive the loss of a node. The server
 * applies the second one only before the commit, so that no acknowledged write is ever cancelled half-way.
 */
export function connect(url: string, options: ConnectOptions = {}): Sql {
  const { max = 20, applicationName = 'reelmark', statementTimeout = 4_000, onQuery, onNotice } = options
  const { timeoutScale = 1 } = options
  const client: ClientConfig = {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: 2_000 * timeoutScale,
    statement_timeout: statementTimeout * timeoutScale,
    idle_in_transaction_session_timeout: 10_000 * timeoutScale,
    // Measured: the planner sizes a Memoize node before LIMIT, which makes lists 4 to 11 times slower. Parallel workers take
    // longer to start than a request takes, and the cores belong to other requests.
    options: '-c enable_memoize=off -c max_parallel_workers_per_gather=0',
    keepAlive: true,
    keepAliveInitialDelayMillis: 15_000,
  }
  // Connections are replaced after a while, so that they are balanced again after a failover.
  return openPool({ client, max, maxLifetime: 30 * 60, onQuery, onNotice })
}

/** Errors of a server that starts, stops or fails over: they pass, and the same call may succeed a moment later. */
const transientErrorCodes = new Set([
  '57P01',
  '57P02',
  '57P03',
  '25006',
  '53300',
  '08P01',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
])

/**
 * Returns whether an error means that the database is temporarily unreachable, and not that a query is wrong. A read may be
 * retried; a write only if it is idempotent, because it may have been committed.
 */
export function isConnectionError(error: unknown): boolean {
  return transientErrorCodes.has((error as { code?: string } | null)?.code ?? '')
}

/** Waits until the database answers, for `timeoutMs` at most. @throws the last error */
export async function waitUntilReady(sql: Sql, timeoutMs = 60_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    try {
      await sql`select 1`
      return
    } catch (error) {
      if (!isConnectionError(error) || Date.now() > deadline) throw error
      await sleep(250)
    }
  }
}
