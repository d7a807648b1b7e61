/**
 * The connection pool, based on node-postgres. Its clients never reconnect: a broken connection is discarded, so that a
 * statement can neither receive another one's rows nor run outside its transaction
 * (docs/decisions/0027-supervision-and-driver.md).
 */
import { Client, type ClientConfig, DatabaseError, Pool, type PoolClient, type QueryResult } from 'pg'
import { asConnectionError, endsConnection, isOutdated, poolEndedError } from './connection-errors.ts'
import { openListener } from './listener.ts'
import { createStatementNames, shareText } from './prepared-statements.ts'
import {
  type Argument,
  ColumnValues,
  compile,
  type Fragment,
  Identifier,
  Json,
  type Parameter,
  type Row,
  type Rows,
  Statement,
} from './statement.ts'
import { valueTypes } from './values.ts'

interface Queries {
  <T extends readonly (object | undefined)[] = Row[]>(
    strings: TemplateStringsArray,
    ...args: readonly Argument[]
  ): Statement<Rows<T>>
  /** A quoted name: `from ${db(table)}`. */
  (name: string): Identifier
  /** `insert into t ${db(row)}`, `update t set ${db(changes)}`. */
  (row: object): ColumnValues
  /** SQL text, not prepared. Without parameters it may contain several statements; the rows are those of the last one. */
  unsafe<T extends readonly (object | undefined)[] = Row[]>(
    text: string,
    parameters?: readonly Argument[],
  ): Statement<Rows<T>>
  /** A value to send as jsonb. */
  json(value: unknown): Json
}

/** Inside `sql.begin(async (tx) => …)`. */
export interface TransactionSql extends Queries {
  /** Runs `work` after a savepoint, and undoes only what it did if it throws. */
  savepoint<T>(work: (tx: TransactionSql) => Promise<T>): Promise<T>
}

export interface Sql extends Queries {
  /**
   * Runs `work` in a transaction and commits it, or rolls it back if `work` or any of its statements failed.
   * @param options options of BEGIN
   */
  begin<T>(work: (tx: TransactionSql) => Promise<T>): Promise<T>
  begin<T>(options: string, work: (tx: TransactionSql) => Promise<T>): Promise<T>
  listen(channel: string, onNotify: (payload: string) => void, onListen?: () => void): Promise<void>
  notify(channel: string, payload: string): Promise<void>
  /** Waits up to `timeout` seconds for running statements and closes all connections. */
  end(options: { timeout: number }): Promise<void>
}

export interface PoolOptions {
  client: ClientConfig
  /** The maximum number of connections. */
  max: number
  /** Seconds after which a connection is replaced. */
  maxLifetime: number
  /** Called with the text of every statement. */
  onQuery?: ((text: string) => void) | undefined
  onNotice?: ((message: string) => void) | undefined
}

interface SentStatement {
  text: string
  values: Parameter[]
  isPrepared: boolean
}

type Send = (statement: SentStatement) => Promise<Rows<Row[]>>

/** Creates a pool, which connects on the first statement and replaces lost connections. */
export function openPool({ client: config, max, maxLifetime, onQuery, onNotice }: PoolOptions): Sql {
  const clientConfig = { ...config, types: valueTypes as ClientConfig['types'] & object }
  const clients = new Set<Client>()
  const pool = new Pool({
    max,
    maxLifetimeSeconds: maxLifetime,
    // Idle connections stay open, because opening one is expensive.
    idleTimeoutMillis: 0,
    Client: class extends Client {
      constructor() {
        super(clientConfig)
        clients.add(this)
        // Without this handler a broken connection would end the process. Its statements are rejected anyway.
        this.on('error', () => {})
        this.once('end', () => clients.delete(this))
        if (onNotice !== undefined) this.on('notice', ({ message }) => onNotice(message ?? ''))
      }
    },
  })
  pool.on('error', () => {})
  const listener = openListener(clientConfig)
  const statementNames = new WeakMap<PoolClient, (text: string) => string>()
  /** The functions that reject the callers waiting for a connection. */
  const waiting = new Set<(error: Error) => void>()
  let ending: Promise<void> | null = null

  function acquire(): Promise<PoolClient> {
    if (ending !== null) return Promise.reject(poolEndedError())
    return new Promise((resolve, reject) => {
      waiting.add(reject)
      pool.connect().then(
        (client) => {
          waiting.delete(reject)
          resolve(client)
        },
        (error: Error) => {
          waiting.delete(reject)
          reject(asConnectionError(error))
        },
      )
    })
  }

  /** Returns the name under which a connection prepares a text. */
  function nameStatement(client: PoolClient, text: string): string {
    const getName = statementNames.get(client) ?? createStatementNames(client)
    statementNames.set(client, getName)
    return getName(text)
  }

  async function sendOn(
    client: PoolClient,
    { text, values, isPrepared }: SentStatement,
  ): Promise<Rows<Row[]>> {
    onQuery?.(text)
    try {
      if (!isPrepared) return toRows(await client.query({ text, values }))
      const shared = shareText(text)
      return toRows(await client.query({ text: shared, values, name: nameStatement(client, shared) }))
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw asConnectionError(error as Error)
      throw Object.assign(error, { statement: text })
    }
  }

  const sendOnAny: Send = async (statement) => {
    const client = await acquire()
    let failure: unknown
    try {
      return await sendOn(client, statement)
    } catch (error) {
      failure = error
      // The statement did not run, because a migration changed its columns since it was prepared: retry.
      if (!isOutdated(error)) throw error
    } finally {
      client.release(endsConnection(failure))
    }
    return sendOnAny(statement)
  }

  async function begin(...input: [Work<unknown>] | [string, Work<unknown>]): Promise<unknown> {
    const [options, work] = input.length === 1 ? ['', input[0]] : input
    const client = await acquire()
    let isBroken = false
    const send = createSequentialSend(async (statement) => {
      try {
        return await sendOn(client, statement)
      } catch (error) {
        isBroken ||= endsConnection(error)
        throw error
      }
    })
    try {
      await send(plain(`begin ${options}`.trim()))
      const result = await transact(send, work, { undo: 'rollback', savepointPrefix: 's' })
      await send(plain('commit'))
      return result
    } finally {
      client.release(isBroken)
    }
  }

  async function end(timeout: number): Promise<void> {
    const isTooLong = Promise.withResolvers<void>()
    const timer = setTimeout(isTooLong.resolve, timeout * 1000)
    await Promise.race([Promise.all([pool.end(), listener.end()]), isTooLong.promise])
    clearTimeout(timer)
    for (const reject of waiting) reject(poolEndedError())
    // Connections that still run a statement are cut off.
    for (const client of clients) client.end().catch(() => {})
  }

  const sql = queries(sendOnAny)
  return Object.assign(sql, {
    begin: begin as Sql['begin'],
    listen: listener.listen,
    notify: async (channel: string, payload: string) => {
      await sql`select pg_notify(${channel}, ${payload})`
    },
    end: ({ timeout }: { timeout: number }) => (ending ??= end(timeout)),
  })
}

type Work<T> = (tx: TransactionSql) => Promise<T>

/**
 * Runs `work` with its own statements; if it or one of them fails, sends `undo` and throws. A failed statement counts even
 * if `work` caught its error, because PostgreSQL would silently turn the commit into a rollback.
 */
async function transact<T>(
  send: Send,
  work: Work<T>,
  { undo, savepointPrefix }: { undo: string; savepointPrefix: string },
): Promise<T> {
  let failure: { error: unknown } | null = null
  let isOver = false
  const sendWhileOpen: Send = async (statement) => {
    if (isOver) throw new Error('The transaction of this statement is over.')
    return send(statement)
  }
  const sendHere: Send = async (statement) => {
    try {
      return await sendWhileOpen(statement)
    } catch (error) {
      failure ??= { error }
      throw error
    }
  }
  let savepoints = 0
  const tx = Object.assign(queries(sendHere), {
    savepoint: async <S>(inner: Work<S>): Promise<S> => {
      savepoints += 1
      // Unique in the transaction: PostgreSQL rolls back to the latest savepoint of a name.
      const name = `${savepointPrefix}_${savepoints}`
      await sendHere(plain(`savepoint ${name}`))
      return transact(sendWhileOpen, inner, {
        undo: `rollback to ${name}`,
        savepointPrefix: name,
      })
    },
  })
  try {
    const result = await work(tx)
    if (failure !== null) throw (failure as { error: unknown }).error
    return result
  } catch (error) {
    // Before the rollback is sent: a statement behind it would run outside the transaction.
    isOver = true
    // If the connection is lost, the server rolls back by itself.
    await send(plain(undo)).catch(() => {})
    throw error
  } finally {
    isOver = true
  }
}

/** Creates the template functions; `send` executes their statements. */
function queries(send: Send): Queries {
  const run = async (statement: Fragment) => send({ ...compile(statement), isPrepared: statement.isPrepared })
  const template = (first: TemplateStringsArray | string | object, ...args: unknown[]) => {
    if (typeof first === 'string') return new Identifier(first)
    return 'raw' in first ? new Statement(first as TemplateStringsArray, args, run) : new ColumnValues(first)
  }
  return Object.assign(template as Queries, {
    unsafe: (text: string, parameters: readonly Argument[] = []) =>
      new Statement<never>([text], [], async () => {
        const { values } = compile(new Statement(Array(parameters.length + 1).fill(''), parameters, run))
        return (await send({ text, values, isPrepared: false })) as never
      }),
    json: (value: unknown) => new Json(value),
  })
}

function plain(text: string): SentStatement {
  return { text, values: [], isPrepared: false }
}

/** Sends statements one after the other, as a connection executes them; later ones wait. */
function createSequentialSend(send: Send): Send {
  let last: Promise<unknown> = Promise.resolve()
  return (statement) => {
    const result = last.then(() => send(statement))
    last = result.catch(() => {})
    return result
  }
}

/** Returns the rows of a result; for several statements pg returns a list of results, of which the last counts. */
function toRows(result: QueryResult | QueryResult[]): Rows<Row[]> {
  const { rows, rowCount } = (Array.isArray(result) ? result.at(-1) : result) as QueryResult<Row>
  return Object.defineProperty(rows, 'count', { value: rowCount ?? 0 }) as Rows<Row[]>
}
