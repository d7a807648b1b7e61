/**
 * The pool of connections, on node-postgres. Its clients never reconnect: a connection that broke is thrown away, so a
 * statement can neither be answered with another one's rows nor run outside of its transaction
 * (docs/decisions/0027-supervision-and-driver.md).
 */
import { Client, type ClientConfig, DatabaseError, Pool, type PoolClient, type QueryResult } from 'pg'
import { asConnectionError, ended, endsConnection, isOutdated } from './connection-errors.ts'
import { openListener } from './listener.ts'
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
  /** A name, quoted: `from ${db(table)}`. */
  (name: string): Identifier
  /** `insert into t ${db(row)}`, `update t set ${db(changes)}`. */
  (row: object): ColumnValues
  /** A text as it is, not prepared. Without parameters it may hold several statements; the rows are the last one's. */
  unsafe<T extends readonly (object | undefined)[] = Row[]>(
    text: string,
    parameters?: readonly Argument[],
  ): Statement<Rows<T>>
  /** A value to send as jsonb. */
  json(value: unknown): Json
}

/** Inside `sql.begin(async (tx) => …)`. */
export interface TransactionSql extends Queries {
  /** Undoes what `work` did where it throws, and only that. */
  savepoint<T>(work: (tx: TransactionSql) => Promise<T>): Promise<T>
}

export interface Sql extends Queries {
  /**
   * Runs `work` in a transaction: commits what it did, or rolls it back where it, or any of its statements, failed.
   * `options` are those of BEGIN.
   */
  begin<T>(work: (tx: TransactionSql) => Promise<T>): Promise<T>
  begin<T>(options: string, work: (tx: TransactionSql) => Promise<T>): Promise<T>
  listen(channel: string, onNotify: (payload: string) => void, onListen?: () => void): Promise<void>
  notify(channel: string, payload: string): Promise<void>
  /** Waits for what is under way, for `timeout` seconds at most, and closes all connections. */
  end(options: { timeout: number }): Promise<void>
}

export interface PoolOptions {
  client: ClientConfig
  /** Connections at most. */
  max: number
  /** Seconds after which a connection is replaced. */
  maxLifetime: number
  /** Is called with the text of every statement. */
  onQuery?: ((text: string) => void) | undefined
  onNotice?: ((message: string) => void) | undefined
}

/** One statement as it is sent. A prepared one has a name. */
interface Sent {
  text: string
  values: Parameter[]
  name?: string
}

/** Texts whose names are remembered. Some have numbers written out, as offsets, so there is no end to them. */
const mostNames = 1000

type Send = (statement: Sent) => Promise<Rows<Row[]>>

/** Connects on the first statement, and anew whenever a connection was lost. */
export function openPool({ client: config, max, maxLifetime, onQuery, onNotice }: PoolOptions): Sql {
  const clientConfig = { ...config, types: valueTypes as ClientConfig['types'] & object }
  const clients = new Set<Client>()
  const pool = new Pool({
    max,
    maxLifetimeSeconds: maxLifetime,
    // Idle connections stay: opening one costs more than keeping it.
    idleTimeoutMillis: 0,
    Client: class extends Client {
      constructor() {
        super(clientConfig)
        clients.add(this)
        // Without a listener a broken connection would end the process. Its statements are rejected all the same.
        this.on('error', () => {})
        this.once('end', () => clients.delete(this))
        if (onNotice !== undefined) this.on('notice', ({ message }) => onNotice(message ?? ''))
      }
    },
  })
  pool.on('error', () => {})
  const listener = openListener(clientConfig)
  const names = new Map<string, string>()
  let nameCount = 0
  /** Rejects those that wait for a connection. */
  const waiting = new Set<(error: Error) => void>()
  let ending: Promise<void> | null = null

  function acquire(): Promise<PoolClient> {
    if (ending !== null) return Promise.reject(ended())
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

  /** The name under which every connection prepares a text. */
  function nameOf(text: string): string {
    const known = names.get(text)
    if (known !== undefined) return known
    if (names.size === mostNames) names.clear()
    nameCount += 1
    const name = `s${nameCount}`
    names.set(text, name)
    return name
  }

  async function sendOn(client: PoolClient, statement: Sent): Promise<Rows<Row[]>> {
    onQuery?.(statement.text)
    try {
      return rowsOf(await client.query(statement))
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw asConnectionError(error as Error)
      throw Object.assign(error, { statement: statement.text })
    }
  }

  const sendOnAny: Send = async (statement) => {
    const client = await acquire()
    let failure: unknown
    try {
      return await sendOn(client, statement)
    } catch (error) {
      failure = error
      // The statement did not run: a migration changed what it returns since it was prepared.
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
    const send = inTurn(async (statement) => {
      try {
        return await sendOn(client, statement)
      } catch (error) {
        isBroken ||= endsConnection(error)
        throw error
      }
    })
    try {
      await send(plain(`begin ${options}`.trim()))
      const result = await transact(send, nameOf, work, 'rollback')
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
    for (const reject of waiting) reject(ended())
    // One that still carries out a statement is cut off.
    for (const client of clients) client.end().catch(() => {})
  }

  const sql = queries(sendOnAny, nameOf)
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
 * Runs `work` with statements of its own; where it or one of them fails, sends `undo` and throws. A failed statement
 * counts even where `work` caught it: PostgreSQL would turn the commit into a rollback without a word.
 */
async function transact<T>(send: Send, nameOf: NameOf, work: Work<T>, undo: string): Promise<T> {
  let failure: { error: unknown } | null = null
  let isOver = false
  const sendHere: Send = async (statement) => {
    if (isOver) throw new Error('The transaction of this statement is over.')
    try {
      return await send(statement)
    } catch (error) {
      failure ??= { error }
      throw error
    }
  }
  let savepoints = 0
  const tx = Object.assign(queries(sendHere, nameOf), {
    savepoint: async <S>(inner: Work<S>): Promise<S> => {
      savepoints += 1
      const name = `s${savepoints}`
      await sendHere(plain(`savepoint ${name}`))
      return transact(send, nameOf, inner, `rollback to ${name}`)
    },
  })
  try {
    const result = await work(tx)
    if (failure !== null) throw (failure as { error: unknown }).error
    return result
  } catch (error) {
    // Where the connection is gone the server rolls back by itself.
    await send(plain(undo)).catch(() => {})
    throw error
  } finally {
    isOver = true
  }
}

type NameOf = (text: string) => string

/** What templates do: `send` carries them out. */
function queries(send: Send, nameOf: NameOf): Queries {
  const run = async (statement: Fragment) => {
    const { text, values } = compile(statement)
    return send({ text, values, name: nameOf(text) })
  }
  const template = (first: TemplateStringsArray | string | object, ...args: unknown[]) => {
    if (typeof first === 'string') return new Identifier(first)
    return 'raw' in first ? new Statement(first as TemplateStringsArray, args, run) : new ColumnValues(first)
  }
  return Object.assign(template as Queries, {
    unsafe: (text: string, parameters: readonly Argument[] = []) =>
      new Statement<never>([text], [], async () => {
        const { values } = compile(new Statement(Array(parameters.length + 1).fill(''), parameters, run))
        return (await send({ text, values })) as never
      }),
    json: (value: unknown) => new Json(value),
  })
}

function plain(text: string): Sent {
  return { text, values: [] }
}

/** A connection carries out one statement after the other; those that come meanwhile wait here. */
function inTurn(send: Send): Send {
  let last: Promise<unknown> = Promise.resolve()
  return (statement) => {
    const result = last.then(() => send(statement))
    last = result.catch(() => {})
    return result
  }
}

/** pg answers a text of several statements with a list. */
function rowsOf(result: QueryResult | QueryResult[]): Rows<Row[]> {
  const { rows, rowCount } = (Array.isArray(result) ? result.at(-1) : result) as QueryResult<Row>
  return Object.defineProperty(rows, 'count', { value: rowCount ?? 0 }) as Rows<Row[]>
}
