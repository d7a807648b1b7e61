/** What a pool does when connections break: every statement is settled, with its own rows or with an error. */
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
  await sql`create table kept (n int)`
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
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

test('a transaction whose connection dies under a statement fails, and the next one works', async () => {
  const pid = Promise.withResolvers<number>()
  const transaction = sql.begin(async (tx) => {
    await tx`insert into kept values (1)`
    pid.resolve(await ownPid(tx))
    await tx`select pg_sleep(60)`
  })
  const failed = failureOf(transaction)
  await kill(await pid.promise)
  expect(isConnectionError(await failed)).toBe(true)
  await sql.begin((tx) => tx`insert into kept values (2)`)
  expect(await sql`select n from kept`).toEqual([{ n: 2 }])
})

test('a transaction whose connection dies between two statements does nothing more on another connection', async () => {
  const failed = failureOf(
    sql.begin(async (tx) => {
      await tx`insert into kept values (1)`
      await kill(await ownPid(tx))
      // Others use, and renew, the pool meanwhile.
      await Promise.all(Array.from({ length: 10 }, () => sql`select 1`))
      await tx`insert into kept values (2)`.catch(() => {})
      await tx`insert into kept values (3)`
    }),
  )
  expect(isConnectionError(await failed)).toBe(true)
  expect(await sql`select n from kept`).toEqual([])
})

test('statements that wait in a transaction when its connection dies all fail', async () => {
  const outcome = Promise.withResolvers<PromiseSettledResult<unknown>[]>()
  const failed = failureOf(
    sql.begin(async (tx) => {
      const pid = await ownPid(tx)
      const statements = [tx`select pg_sleep(60)`, tx`insert into kept values (1)`, tx`select 1`]
      const settled = Promise.allSettled(statements)
      await kill(pid)
      outcome.resolve(await settled)
    }),
  )
  expect((await outcome.promise).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(isConnectionError(await failed)).toBe(true)
  expect(await sql`select n from kept`).toEqual([])
})

test('a transaction fails with the statement that failed, though the work caught it', async () => {
  const failed = failureOf(
    sql.begin(async (tx) => {
      await tx`insert into kept values (1)`
      await tx`select nonsense`.catch(() => {})
    }),
  )
  expect(await failed).toMatchObject({ code: '42703', statement: 'select nonsense' })
  expect(await sql`select n from kept`).toEqual([])
})

test('a savepoint undoes what was done since, and only that', async () => {
  await sql.begin(async (tx) => {
    await tx`insert into kept values (1)`
    const inner = tx.savepoint(async (deeper) => {
      await deeper`insert into kept values (2)`
      throw new Error('no')
    })
    await expect(inner).rejects.toThrow('no')
    await tx.savepoint((deeper) => deeper`insert into kept values (3)`)
  })
  expect(await sql`select n from kept order by n`).toEqual([{ n: 1 }, { n: 3 }])
})

test('a statement of a transaction that is over is refused', async () => {
  const late = await sql.begin(async (tx) => () => tx`insert into kept values (1)`)
  await expect(late()).rejects.toThrow('The transaction of this statement is over.')
  expect(await sql`select n from kept`).toEqual([])
})

test('a statement whose result a migration changed is prepared anew', async () => {
  const one = connect(database.url, { ...slowTimeouts, max: 1 })
  await sql`insert into kept values (1)`
  expect(await one`select * from kept`).toEqual([{ n: 1 }])
  await sql`alter table kept add m int`
  expect(await one`select * from kept`).toEqual([{ n: 1, m: null }])
  await one.end({ timeout: 1 })
})

test('statements that wait for a connection when the pool ends are refused', async () => {
  const one = connect(database.url, { ...slowTimeouts, max: 1 })
  const statements = Promise.allSettled([one`select pg_sleep(60)`, one`select 1`])
  await sleep(100)
  await one.end({ timeout: 0.1 })
  expect((await statements).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(one`select 1`).rejects.toMatchObject({ code: 'CONNECTION_ENDED' })
})

test('a subscription is there again after its connection was lost, and says so', async () => {
  const heard: string[] = []
  let listened = 0
  await sql.listen(
    'news',
    (payload) => heard.push(payload),
    () => {
      listened += 1
    },
  )
  await sql.notify('news', 'before')
  await expect.poll(() => heard).toEqual(['before'])
  await killer`select pg_terminate_backend(pid, 5000) from pg_stat_activity where query like 'listen%'`
  await expect.poll(() => listened).toBe(2)
  await sql.notify('news', 'after')
  await expect.poll(() => heard).toEqual(['before', 'after'])
})

/** In front of the database: passes everything on, and breaks connections on demand, some by a reset. */
async function openProxy(url: string): Promise<{ url: string; breakSome(): void; close(): void }> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const proxy: Server = createServer((client) => {
    const server = dial(Number(port), hostname)
    client.pipe(server).pipe(client)
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      socket.on('error', () => {})
      socket.on('close', () => other.destroy())
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

test('under connections that break all the time every statement is answered with its own rows or fails', async () => {
  await sql`create table pairs (id int, half int, primary key (id, half))`
  const proxy = await openProxy(database.url)
  const fragile = connect(proxy.url, { ...slowTimeouts, max: 8 })
  const wrong: unknown[] = []
  const count = { answered: 0, failed: 0 }
  const committed: number[] = []
  const settle = async (work: Promise<unknown>) => {
    try {
      await work
      count.answered += 1
    } catch (error) {
      count.failed += 1
      if (!isConnectionError(error)) wrong.push(error)
    }
  }
  let isOver = false
  let id = 0
  const workers = Array.from({ length: 16 }, async () => {
    while (!isOver) {
      id += 1
      const mine = id
      await settle(
        fragile`select ${mine}::int as n, repeat('x', ${mine % 3000}) as filler`.then(([row]) => {
          if (row?.n !== mine) wrong.push([mine, row])
        }),
      )
      await settle(
        fragile
          .begin(async (tx) => {
            await tx`insert into pairs values (${mine}, 1)`
            await sleep(mine % 3)
            await tx`insert into pairs values (${mine}, 2)`
          })
          .then(() => committed.push(mine)),
      )
    }
  })
  for (let round = 1; round <= 40; round++) {
    // However slow the machine is: some work is done between two breaks.
    await expect.poll(() => count.answered).toBeGreaterThan(round * 10)
    proxy.breakSome()
  }
  isOver = true
  await Promise.all(workers)
  expect(wrong).toEqual([])
  expect(count.failed).toBeGreaterThan(20)
  // All of a transaction or nothing, and all of one that was acknowledged.
  expect(await sql`select id from pairs group by id having count(*) <> 2`).toEqual([])
  const [{ found } = { found: 0 }] = await sql<[{ found: number }]>`
    select count(*)::int as found from pairs where half = 1 and id = any(${committed})`
  expect(found).toBe(committed.length)
  await fragile.end({ timeout: 1 })
  proxy.close()
})
