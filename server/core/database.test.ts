import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { connect, isOutOfReach, migrate, type Sql, waitUntilReady } from './database.ts'

describe('migrations', () => {
  let database: TestDatabase
  let directory: string
  let sql: Sql

  beforeEach(async () => {
    database = await createEmptyDatabase()
    sql = connect(database.url, { max: 2 })
    // Characters that mean something in a glob: a checkout may lie anywhere.
    directory = mkdtempSync(join(tmpdir(), 'migrations [a] (b)-'))
    file('0001.do.films.sql', 'create table films (id int primary key);\ninsert into films values (1);\n')
    file('0002.do.titles.sql', "alter table films add title text not null default 'x';\n")
  })
  afterEach(async () => {
    await sql.end({ timeout: 1 })
    await database.drop()
    rmSync(directory, { recursive: true })
  })
  const file = (name: string, text: string) => writeFileSync(join(directory, name), text)

  it('run once, in order', async () => {
    expect(await migrate(database.url, { directory })).toEqual(['0001.do.films.sql', '0002.do.titles.sql'])
    expect(await migrate(database.url, { directory })).toEqual([])
    expect(await sql`select * from films`).toEqual([{ id: 1, title: 'x' }])
    file('0003.do.more.sql', 'insert into films values (2)')
    expect(await migrate(database.url, { directory })).toEqual(['0003.do.more.sql'])
  })

  it('run once although eight processes start at once', async () => {
    const runs = await Promise.all(Array.from({ length: 8 }, () => migrate(database.url, { directory })))
    expect(runs.flat().sort()).toEqual(['0001.do.films.sql', '0002.do.titles.sql'])
    expect(await sql`select id from films`).toEqual([{ id: 1 }])
  })

  it('leave nothing of a file that fails half-way, and keep those before it', async () => {
    file('0003.do.broken.sql', 'create table half (n int);\nselect nonsense;\n')
    await expect(migrate(database.url, { directory })).rejects.toThrow(
      'Migration 0003.do.broken.sql failed: column "nonsense" does not exist',
    )
    expect(
      await sql`select to_regclass('half') as half, (select max(version) from schema_migrations) as at`,
    ).toEqual([{ half: null, at: 2 }])
    file('0003.do.broken.sql', 'create table half (n int);\n')
    expect(await migrate(database.url, { directory })).toEqual(['0003.do.broken.sql'])
  })

  it('refuse a file that was altered after it ran, but not one with the line ends of Windows', async () => {
    await migrate(database.url, { directory })
    file('0001.do.films.sql', 'create table films (id int primary key);\r\ninsert into films values (1);\r\n')
    expect(await migrate(database.url, { directory })).toEqual([])
    file('0001.do.films.sql', 'create table films (id bigint primary key);\n')
    await expect(migrate(database.url, { directory })).rejects.toThrow(
      'Migration 0001.do.films.sql was changed after it had run in this database',
    )
  })

  it('refuse a file slipped in before those that ran, a newer database, and a name out of form', async () => {
    file('0004.do.later.sql', 'select 1')
    await migrate(database.url, { directory })
    file('0003.do.slipped-in.sql', 'select 1')
    await expect(migrate(database.url, { directory })).rejects.toThrow(
      '0003.do.slipped-in.sql was added after later',
    )
    rmSync(join(directory, '0003.do.slipped-in.sql'))
    rmSync(join(directory, '0004.do.later.sql'))
    await expect(migrate(database.url, { directory })).rejects.toThrow('The database is at migration 4')
    file('5-name.sql', 'select 1')
    await expect(migrate(database.url, { directory })).rejects.toThrow(
      'Migration 5-name.sql: the name is not',
    )
  })
})

describe('a test database', () => {
  it('has every migration of this checkout, and goes when it is dropped', async () => {
    const database = await createTestDatabase()
    const sql = connect(database.url, { max: 1 })
    const [row] = await sql`select count(*) as files from schema_migrations where version > 0`
    expect(row?.files).toBe(readdirSync(join(import.meta.dirname, '../migrations')).length)
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

  it('brings bigint as a number, both ways', async () => {
    const sql = connect(database.url)
    expect(
      await sql`select count(*) as n, ${9_007_199_254_740_991}::bigint as big from generate_series(1, 3)`,
    ).toEqual([{ n: 3, big: 9_007_199_254_740_991 }])
    await sql.end({ timeout: 1 })
  })

  it('brings arrays of every kind there and back', async () => {
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
        async (any) => {
          const [back] = await sql`select ${any as string[]}::text[] as any`
          expect(back?.any).toEqual(any)
        },
      ),
      { numRuns: 100 },
    )
    await sql.end({ timeout: 1 })
  })

  it('asks nothing before the first statement, where a broken connection would end the process', async () => {
    const texts: string[] = []
    const sql = connect(database.url, { onQuery: (text) => texts.push(text) })
    await sql`select 1`
    expect(texts).toEqual(['select 1'])
    await sql.end({ timeout: 1 })
  })

  it('gives a statement up in time, and says who it is', async () => {
    const sql = connect(database.url, { statementTimeout: 50, applicationName: 'a test' })
    expect(await sql`select current_setting('application_name') as name`).toEqual([{ name: 'a test' }])
    await expect(sql`select pg_sleep(5)`).rejects.toMatchObject({ code: '57014' })
    await sql.end({ timeout: 1 })
  })

  it('tells every statement to who counts them', async () => {
    const texts: string[] = []
    const sql = connect(database.url, { onQuery: (text) => texts.push(text) })
    await sql`select ${1}::int`
    await sql`select 2`
    expect(texts.filter((text) => /^select [\d$]/.test(text))).toEqual(['select $1::int', 'select 2'])
    await sql.end({ timeout: 1 })
  })

  it('waits for a database that is not there yet', async () => {
    const { hostname, port } = new URL(database.url)
    const gate = createServer()
    await new Promise<void>((done) => gate.listen(0, '127.0.0.1', done))
    const address = gate.address()
    const late = new URL(database.url)
    late.port = String(typeof address === 'object' ? address?.port : 0)
    await new Promise((done) => gate.close(done))

    const sql = connect(late.href, { max: 1 })
    const refused = await sql`select 1`.catch((error: unknown) => error)
    expect(isOutOfReach(refused)).toBe(true)
    await expect(waitUntilReady(sql, 300)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    const ready = waitUntilReady(sql, 10_000)
    const { connect: dial } = await import('node:net')
    const proxy = createServer((client) => {
      const server = dial(Number(port), hostname)
      client.pipe(server).pipe(client)
      client.on('error', () => server.destroy())
      server.on('error', () => client.destroy())
    })
    await new Promise<void>((done) => proxy.listen(Number(late.port), '127.0.0.1', done))
    await ready
    await sql.end({ timeout: 1 })
    proxy.close()
  })

  it('does not take a wrong query for a database out of reach', async () => {
    const sql = connect(database.url)
    const error = await sql`select nonsense`.catch((reason: unknown) => reason)
    expect(isOutOfReach(error)).toBe(false)
    expect(isOutOfReach(null)).toBe(false)
    await sql.end({ timeout: 1 })
  })
})
