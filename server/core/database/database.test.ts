import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { connect, isConnectionError, waitUntilReady } from './database.ts'

describe('a test database', () => {
  it('has run every migration of this checkout, and is deleted when it is dropped', async () => {
    const database = await createTestDatabase()
    const sql = connect(database.url, { max: 1 })
    const files = readdirSync(join(import.meta.dirname, '../../migrations'), {
      recursive: true,
      encoding: 'utf8',
    })
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => name.endsWith('.sql') && name !== 'schema.sql')
    const records = await sql<{ name: string }[]>`select name from schema_migrations`
    expect(records.map(({ name }) => name).sort()).toEqual(files.sort())
    await database.drop()
    await expect(sql`select 1`).rejects.toThrow()
    await sql.end({ timeout: 1 })
  })
})

describe('a connection', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createEmptyDatabase()
  })
  afterAll(() => database.drop())

  it('reads and writes bigint as a number', async () => {
    const sql = connect(database.url)
    expect(
      await sql`select count(*) as n, ${9_007_199_254_740_991}::bigint as big from generate_series(1, 3)`,
    ).toEqual([{ n: 3, big: 9_007_199_254_740_991 }])
    await sql.end({ timeout: 1 })
  })

  it('reads and writes arrays of every type', async () => {
    const sql = connect(database.url)
    const texts = ['', 'plain', 'with "quotes"', 'back\\slash', '{braces},', 'NULL', 'ünï ✓', ' ']
    const [row] = await sql`
      select ${texts}::text[] as texts, ${[1, 2]}::int[] as ints, ${[3, 9_007_199_254_740_991]}::bigint[] as bigs,
        array[[1, 2], [3, null]] as nested, '{}'::text[] as empty,
        array[true, false] as flags, array['2026-01-02T03:04:05Z'::timestamptz] as moments,
        array['{"a": [1]}'::jsonb] as objects, 2 = any(${[1, 2]}) as found, '[0:1]={7,8}'::int[] as bounds`
    expect(row).toEqual({
      texts,
      ints: [1, 2],
      bigs: [3, 9_007_199_254_740_991],
      nested: [
        [1, 2],
        [3, null],
      ],
      empty: [],
      flags: [true, false],
      moments: [new Date('2026-01-02T03:04:05Z')],
      objects: [{ a: [1] }],
      found: true,
      bounds: [7, 8],
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(fc.string({ unit: 'grapheme' }).map((s) => s.replaceAll('\0', '')))),
        async (items) => {
          const [row] = await sql`select ${items as string[]}::text[] as items`
          expect(row?.items).toEqual(items)
        },
      ),
      { numRuns: 100 },
    )
    await sql.end({ timeout: 1 })
  })

  it('sends no query of its own before the first statement', async () => {
    const texts: string[] = []
    const sql = connect(database.url, { onQuery: (text) => texts.push(text) })
    await sql`select 1`
    expect(texts).toEqual(['select 1'])
    await sql.end({ timeout: 1 })
  })

  it('cancels a statement after the timeout, and has the application name', async () => {
    const sql = connect(database.url, { statementTimeout: 50, applicationName: 'a test' })
    expect(await sql`select current_setting('application_name') as name`).toEqual([{ name: 'a test' }])
    await expect(sql`select pg_sleep(5)`).rejects.toMatchObject({ code: '57014' })
    await sql.end({ timeout: 1 })
  })

  it('reports the text of every statement', async () => {
    const texts: string[] = []
    const sql = connect(database.url, { onQuery: (text) => texts.push(text) })
    await sql`select ${1}::int`
    await sql`select 2`
    expect(texts.filter((text) => /^select [\d$]/.test(text))).toEqual(['select $1::int', 'select 2'])
    await sql.end({ timeout: 1 })
  })

  it('waits for a database that is not reachable yet', async () => {
    const { hostname, port } = new URL(database.url)
    const gate = createServer()
    await new Promise<void>((done) => gate.listen(0, '127.0.0.1', done))
    const address = gate.address()
    const unreachable = new URL(database.url)
    unreachable.port = String(typeof address === 'object' ? address?.port : 0)
    await new Promise((done) => gate.close(done))

    const sql = connect(unreachable.href, { max: 1 })
    const refused = await sql`select 1`.catch((error: unknown) => error)
    expect(isConnectionError(refused)).toBe(true)
    await expect(waitUntilReady(sql, 300)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    const ready = waitUntilReady(sql, 10_000)
    const { connect: dial } = await import('node:net')
    const proxy = createServer((client) => {
      const server = dial(Number(port), hostname)
      client.pipe(server).pipe(client)
      client.on('error', () => server.destroy())
      server.on('error', () => client.destroy())
    })
    await new Promise<void>((done) => proxy.listen(Number(unreachable.port), '127.0.0.1', done))
    await ready
    await sql.end({ timeout: 1 })
    proxy.close()
  })

  it('does not mistake an invalid query for an unreachable database', async () => {
    const sql = connect(database.url)
    const error = await sql`select nonsense`.catch((reason: unknown) => reason)
    expect(isConnectionError(error)).toBe(false)
    expect(isConnectionError(null)).toBe(false)
    await sql.end({ timeout: 1 })
  })
})
