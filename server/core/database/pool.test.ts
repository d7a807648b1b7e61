/** A pool whose connections break: every statement returns its own rows or fails. */
import { once } from 'node:events'
import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEmptyDatabase, slowTimeouts, type TestDatabase } from '../../testing/test-database.ts'
import { connect, isConnectionError, type Sql } from './database.ts'

let database: TestDatabase
let sql: Sql
let killer: Sql
beforeEach(async () => {
  database = await createEmptyDatabase()
  sql = connect(database.url, { ...slowTimeouts, max: 2 })
  killer = connect(database.url, { ...slowTimeouts, max: 1 })
  await sql`create table written (n int)`
})
afterEach(async () => {
  await Promise.all([sql.end({ timeout: 1 }), killer.end({ timeout: 1 })])
  await database.drop()
})

const kill = (pid: number) => killer`select pg_terminate_backend(${pid}, 5000)`
const ownPid = async (db: Pick<Sql, 'unsafe'>) => {
  const [row] = await db.unsafe<[{ pid: number }]>('select pg_backend_pid() as pid')
  return row.pid
}
const catchError = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

test('a transaction whose connection breaks during a statement fails, and the next one works', async () => {
  const pid = Promise.withResolvers<number>()
  const transaction = sql.begin(async (tx) => {
    await tx`insert into written values (1)`
    pid.resolve(await ownPid(tx))
    await tx`select pg_sleep(60)`
  })
  const failed = catchError(transaction)
  await kill(await pid.promise)
  expect(isConnectionError(await failed)).toBe(true)
  await sql.begin((tx) => tx`insert into written values (2)`)
  expect(await sql`select n from written`).toEqual([{ n: 2 }])
})

test('a transaction whose connection breaks between two statements does not continue on another connection', async () => {
  const failed = catchError(
    sql.begin(async (tx) => {
      await tx`insert into written values (1)`
      await kill(await ownPid(tx))
      // Meanwhile other statements use the pool and open new connections.
      await Promise.all(Array.from({ length: 10 }, () => sql`select 1`))
      await tx`insert into written values (2)`.catch(() => {})
      await tx`insert into written values (3)`
    }),
  )
  expect(isConnectionError(await failed)).toBe(true)
  expect(await sql`select n from written`).toEqual([])
})

test('all queued statements of a transaction fail when its connection breaks', async () => {
  const outcome = Promise.withResolvers<PromiseSettledResult<unknown>[]>()
  const failed = catchError(
    sql.begin(async (tx) => {
      const pid = await ownPid(tx)
      const statements = [tx`select pg_sleep(60)`, tx`insert into written values (1)`, tx`select 1`]
      const outcomes = Promise.allSettled(statements)
      await kill(pid)
      outcome.resolve(await outcomes)
    }),
  )
  expect((await outcome.promise).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(isConnectionError(await failed)).toBe(true)
  expect(await sql`select n from written`).toEqual([])
})

test('a transaction fails with the error of its statement even if the work caught that error', async () => {
  const failed = catchError(
    sql.begin(async (tx) => {
      await tx`insert into written values (1)`
      await tx`select nonsense`.catch(() => {})
    }),
  )
  expect(await failed).toMatchObject({ code: '42703', statement: 'select nonsense' })
  expect(await sql`select n from written`).toEqual([])
})

test('a savepoint that fails undoes only what was done since', async () => {
  await sql.begin(async (tx) => {
    await tx`insert into written values (1)`
    const inner = tx.savepoint(async (deeper) => {
      await deeper`insert into written values (2)`
      throw new Error('no')
    })
    await expect(inner).rejects.toThrow('no')
    await tx.savepoint((deeper) => deeper`insert into written values (3)`)
  })
  expect(await sql`select n from written order by n`).toEqual([{ n: 1 }, { n: 3 }])
})

test('a savepoint that fails also undoes the savepoints inside it', async () => {
  await sql.begin(async (tx) => {
    const inner = tx.savepoint(async (deeper) => {
      await deeper`insert into written values (1)`
      await deeper.savepoint((deepest) => deepest`insert into written values (2)`)
      throw new Error('no')
    })
    await expect(inner).rejects.toThrow('no')
    await tx`insert into written values (3)`
  })
  expect(await sql`select n from written`).toEqual([{ n: 3 }])
})

test('a statement that is sent while its transaction is rolled back is refused', async () => {
  const second = Promise.withResolvers<unknown>()
  const failed = catchError(
    sql.begin(async (tx) => {
      const first = tx`select 1`
      const writeAfterFirst = async () => {
        await first
        await tx`insert into written values (1)`
      }
      // Sends the first statement, which is answered while the rollback waits behind it.
      second.resolve(catchError(writeAfterFirst()))
      throw new Error('no')
    }),
  )
  expect(await failed).toMatchObject({ message: 'no' })
  expect(await second.promise).toMatchObject({ message: 'The transaction of this statement is over.' })
  expect(await sql`select n from written`).toEqual([])
})

test('a statement of a finished transaction is refused', async () => {
  const runLater = await sql.begin(async (tx) => () => tx`insert into written values (1)`)
  await expect(runLater()).rejects.toThrow('The transaction of this statement is over.')
  expect(await sql`select n from written`).toEqual([])
})

test('a statement whose columns a migration changed is prepared again', async () => {
  const single = connect(database.url, { ...slowTimeouts, max: 1 })
  await sql`insert into written values (1)`
  expect(await single`select * from written`).toEqual([{ n: 1 }])
  await sql`alter table written add m int`
  expect(await single`select * from written`).toEqual([{ n: 1, m: null }])
  await single.end({ timeout: 1 })
})

test('statements that wait for a connection are refused when the pool ends', async () => {
  const single = connect(database.url, { ...slowTimeouts, max: 1 })
  const statements = Promise.allSettled([single`select pg_sleep(60)`, single`select 1`])
  await sleep(100)
  await single.end({ timeout: 0.1 })
  expect((await statements).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(single`select 1`).rejects.toMatchObject({ code: 'CONNECTION_ENDED' })
})

test('a subscription is restored and reported after its connection was lost', async () => {
  const received: string[] = []
  let listened = 0
  await sql.listen(
    'news',
    (payload) => received.push(payload),
    () => {
      listened += 1
    },
  )
  await sql.notify('news', 'before')
  await expect.poll(() => received).toEqual(['before'])
  await killer`select pg_terminate_backend(pid, 5000) from pg_stat_activity where query like 'listen%'`
  await expect.poll(() => listened).toBe(2)
  await sql.notify('news', 'after')
  await expect.poll(() => received).toEqual(['before', 'after'])
})

/** A proxy before the database that breaks connections on demand, some of them with a reset. */
async function openProxy(url: string): Promise<{ url: string; breakSome(): void; close(): void }> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const proxy: Server = createServer((client) => {
    const server = dial(Number(port), hostname)
    client.pipe(server).pipe(client)
    for (const [socket, peer] of [
      [client, server],
      [server, client],
    ] as const) {
      socket.on('error', () => {})
      socket.on('close', () => peer.destroy())
    }
    sockets.add(client)
    client.on('close', () => sockets.delete(client))
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const proxied = new URL(url)
  proxied.port = String((proxy.address() as { port: number }).port)
  let count = 0
  return {
    url: proxied.href,
    breakSome() {
      for (const socket of sockets) {
        count += 1
        if (count % 3 === 0) socket.resetAndDestroy()
        if (count % 3 === 1) socket.destroy()
      }
    },
    close() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}

test('while connections break all the time, every statement returns its own rows or fails', {
  tags: 'heavy',
}, async () => {
  await sql`create table pairs (id int, half int, primary key (id, half))`
  const proxy = await openProxy(database.url)
  const fragile = connect(proxy.url, { ...slowTimeouts, max: 8 })
  const wrong: unknown[] = []
  const count = { answered: 0, failed: 0 }
  const committed: number[] = []
  const recordOutcome = async (work: Promise<unknown>) => {
    try {
      await work
      count.answered += 1
    } catch (error) {
      count.failed += 1
      if (!isConnectionError(error)) wrong.push(error)
    }
  }
  let isStopped = false
  let id = 0
  const workers = Array.from({ length: 16 }, async () => {
    while (!isStopped) {
      id += 1
      const own = id
      await recordOutcome(
        fragile`select ${own}::int as n, repeat('x', ${own % 3000}) as filler`.then(([row]) => {
          if (row?.n !== own) wrong.push([own, row])
        }),
      )
      await recordOutcome(
        fragile
          .begin(async (tx) => {
            await tx`insert into pairs values (${own}, 1)`
            await sleep(own % 3)
            await tx`insert into pairs values (${own}, 2)`
          })
          .then(() => committed.push(own)),
      )
    }
  })
  for (let round = 1; round <= 40; round++) {
    // On a slow machine, too, some statements succeed between two breaks.
    await expect.poll(() => count.answered).toBeGreaterThan(round * 10)
    proxy.breakSome()
  }
  isStopped = true
  await Promise.all(workers)
  expect(wrong).toEqual([])
  expect(count.failed).toBeGreaterThan(20)
  // A transaction is committed completely or not at all, and an acknowledged one is committed.
  expect(await sql`select id from pairs group by id having count(*) <> 2`).toEqual([])
  const [{ found } = { found: 0 }] = await sql<[{ found: number }]>`
    select count(*)::int as found from pairs where half = 1 and id = any(${committed})`
  expect(found).toBe(committed.length)
  await fragile.end({ timeout: 1 })
  proxy.close()
})

test('an unprepared statement leaves no prepared statement on the connection', async () => {
  const one = connect(database.url, { ...slowTimeouts, max: 1 })
  const read = (marker: string) =>
    one`select from pg_prepared_statements where statement like ${`%${marker}%`}`
  expect(await one`select ${1}::int as named_marker`).toEqual([{ named_marker: 1 }])
  expect(await one`select ${2}::int as unnamed_marker`.unprepared()).toEqual([{ unnamed_marker: 2 }])
  expect((await read(' named_marker')).count).toBe(1)
  expect((await read(' unnamed_marker')).count).toBe(0)
  await one.end({ timeout: 1 })
})

test('a connection keeps the prepared statements that were used last, up to a size', async () => {
  const one = connect(database.url, { ...slowTimeouts, max: 1 })
  const long = ' '.repeat(4000)
  const run = async (n: number, spaces: string) => {
    const [row] = await one<[{ n: number }]>`select ${n}::int + ${one.unsafe(`${n}${spaces}`)} as n`
    return row.n
  }
  const readSize = async () => {
    const [prepared] = await one.unsafe<[{ count: number; size: number }]>(
      'select count(*)::int, sum(length(statement) + 500)::int as size from pg_prepared_statements',
    )
    return prepared
  }
  for (let n = 0; n < 700; n++) expect(await run(n, '')).toBe(2 * n)
  expect((await readSize()).count).toBeGreaterThan(500)
  expect((await readSize()).size).toBeLessThanOrEqual(300_000)
  for (let n = 0; n < 100; n++) expect(await run(n, long)).toBe(2 * n)
  // Texts whose statements are closed are prepared again, also in a transaction.
  expect(
    await one.begin(async (tx) => (await tx`select ${1}::int + ${tx.unsafe(`0${long}`)} as n`)[0]?.n),
  ).toBe(1)
  const { count, size } = await readSize()
  expect(size).toBeLessThanOrEqual(300_000)
  expect(count).toBe(Math.floor(300_000 / (long.length + 500 + 22)))
  const names = () => one.unsafe<{ name: string }[]>('select name from pg_prepared_statements order by name')
  const before = await names()
  for (let n = 80; n < 100; n++) expect(await run(n, long)).toBe(2 * n)
  expect(await names()).toEqual(before)
  await one.end({ timeout: 1 })
})
