import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { openPool, type Sql, type TransactionSql } from './pool.ts'

export type { Sql, TransactionSql } from './pool.ts'
export type { Argument, Fragment } from './statement.ts'
/** The first parameter of every query function: the pool, or the transaction the route opened. */
export type Db = Sql | TransactionSql

type ConnectOptions = {
  /** Connections at most; they are opened when needed. */
  max?: number
  /** As pg_stat_activity shows it. */
  applicationName?: string
  /** Milliseconds after which the server cancels a statement (57014); 0 for never. */
  statementTimeout?: number
  /** Multiplies every timeout: for tests, whose machine may be busy. */
  timeoutScale?: number
  /** Is called with the text of every statement: tests count with it. */
  onQuery?: (text: string) => void
  onNotice?: (message: string) => void
}

/**
 * Returns a pool of connections to `url` (postgres://…). It connects on the first statement, and anew after a failure.
 *
 * The timeouts (2 s to connect, 4 s for a statement) are those which carried clients over the loss of a node. The
 * server applies the second before the commit only, so no acknowledged write is ever cancelled half-way.
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
    // Measured: a Memoize node is sized before LIMIT, which makes lists 4 to 11 times slower.
    options: '-c enable_memoize=off',
    keepAlive: true,
    keepAliveInitialDelayMillis: 15_000,
  }
  // Connections age so that a pool spreads again over what a failover left.
  return openPool({ client, max, maxLifetime: 30 * 60, onQuery, onNotice })
}

/** What comes of a server starting, stopping or handing over: it passes, and the same call may work in a moment. */
const transientErrorCodes = new Set([
  ...['57P01', '57P02', '57P03', '25006', '53300', '08P01', '08000', '08001', '08003', '08004', '08006'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'],
  ...['CONNECT_TIMEOUT', 'CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED'],
])

/**
 * Whether `error` tells of a database out of reach for the moment and not of a wrong query. A read may be tried
 * again; a write may have been committed, so it may not unless it is idempotent.
 */
export function isConnectionError(error: unknown): boolean {
  return transientErrorCodes.has((error as { code?: string } | null)?.code ?? '')
}

/** Waits until the database answers, for `patience` milliseconds at most; then throws the last error. */
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
