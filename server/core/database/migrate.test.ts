import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { connect, type Sql } from './database.ts'
import { migrate } from './migrate.ts'

let database: TestDatabase
let directory: string
let sql: Sql

beforeEach(async () => {
  database = await createEmptyDatabase()
  sql = connect(database.url, { max: 2 })
  directory = mkdtempSync(join(tmpdir(), 'migrations [a] (b)-'))
  file('0001-films.sql', 'create table films (id int primary key);\ninsert into films values (1);\n')
  file('0002-titles.sql', "alter table films add title text not null default 'x';\n")
})
afterEach(async () => {
  await sql.end({ timeout: 1 })
  await database.drop()
  rmSync(directory, { recursive: true })
})

const file = (name: string, text: string) => writeFileSync(join(directory, name), text)
const run = () => migrate(database.url, { directory })

describe('versioned migrations', () => {
  it('run once, in order', async () => {
    expect(await run()).toEqual(['0001-films.sql', '0002-titles.sql'])
    expect(await run()).toEqual([])
    expect(await sql`select * from films`).toEqual([{ id: 1, title: 'x' }])
    file('0003-more.sql', 'insert into films values (2)')
    expect(await run()).toEqual(['0003-more.sql'])
  })

  it('are reported one by one as they commit', async () => {
    const reported: string[] = []
    await migrate(database.url, { directory, onRun: (name) => reported.push(name) })
    expect(reported).toEqual(['0001-films.sql', '0002-titles.sql'])
  })

  it('run once even if eight processes start at the same time', async () => {
    const runs = await Promise.all(Array.from({ length: 8 }, run))
    expect(runs.flat().sort()).toEqual(['0001-films.sql', '0002-titles.sql'])
    expect(await sql`select id from films`).toEqual([{ id: 1 }])
  })

  it('leave no trace of a file that fails, keep the files before it, and resume once it is corrected', async () => {
    file('0003-broken.sql', 'create table half (n int);\nselect nonsense;\n')
    await expect(run()).rejects.toThrow('Migration 0003-broken.sql failed: column "nonsense" does not exist')
    expect(
      await sql`select to_regclass('half') as half, (select max(version) from schema_migrations) as at`,
    ).toEqual([{ half: null, at: 2 }])
    file('0003-broken.sql', 'create table half (n int);\n')
    expect(await run()).toEqual(['0003-broken.sql'])
  })

  it('are refused when a file was changed after it ran, but not for Windows line endings', async () => {
    await run()
    file('0001-films.sql', 'create table films (id int primary key);\r\ninsert into films values (1);\r\n')
    expect(await run()).toEqual([])
    file('0001-films.sql', 'create table films (id bigint primary key);\n')
    await expect(run()).rejects.toThrow(
      'Migration 0001-films.sql was changed after it had run in this database',
    )
  })

  it('are refused when a file was added before the newest one that ran', async () => {
    file('0004-later.sql', 'select 1')
    await run()
    file('0003-inserted.sql', 'select 1')
    await expect(run()).rejects.toThrow(
      'Migration 0003-inserted.sql was added after later ones had run: give it a new number.',
    )
  })

  it('are refused when a file that ran is missing', async () => {
    await run()
    file('0003-more.sql', 'select 1')
    rmSync(join(directory, '0001-films.sql'))
    await expect(run()).rejects.toThrow(
      'Migration 0001-films.sql has run in this database: restore its file.',
    )
    expect(await sql`select max(version) as at from schema_migrations`).toEqual([{ at: 2 }])
  })

  it('are refused when the database is newer than the program', async () => {
    await run()
    rmSync(join(directory, '0002-titles.sql'))
    await expect(run()).rejects.toThrow(
      'The database is at migration 2, this program knows only 1: run a newer version.',
    )
  })

  it('are refused when a name does not follow the rules or a number is used twice', async () => {
    file('5-name.sql', 'select 1')
    await expect(run()).rejects.toThrow(
      'Migration 5-name.sql: the name is not of the form 0001-some-name.sql.',
    )
    rmSync(join(directory, '5-name.sql'))
    file('0002-other.sql', 'select 1')
    await expect(run()).rejects.toThrow('Migrations 0002-other.sql and 0002-titles.sql have the same number')
  })

  it('do not include the generated description of the schema', async () => {
    file('schema.sql', 'this is not run')
    expect(await run()).toEqual(['0001-films.sql', '0002-titles.sql'])
  })

  it('are refused in a database whose record of migrations is from before the first release', async () => {
    await sql`create table schema_migrations (version bigint primary key, name text, md5 text)`
    await sql`insert into schema_migrations values (1, 'films', 'x')`
    await expect(run()).rejects.toThrow('created before the first release and cannot be upgraded')
  })
})

describe('repeatable migrations', () => {
  const one = (value: string) =>
    `create or replace function one() returns text language sql as $$ select '${value}' $$;\n`
  const two = 'create or replace function two() returns text language sql as $$ select one() || one() $$;\n'

  beforeEach(() => {
    mkdirSync(join(directory, 'functions'))
    file('functions/b-two.sql', two)
    file('functions/a-one.sql', one('x'))
  })

  it('run after the versioned ones, in the order of their names, and again only when they change', async () => {
    expect(await run()).toEqual([
      '0001-films.sql',
      '0002-titles.sql',
      'functions/a-one.sql',
      'functions/b-two.sql',
    ])
    expect(await run()).toEqual([])
    file('functions/a-one.sql', one('y'))
    expect(await run()).toEqual(['functions/a-one.sql'])
    expect(await sql`select two()`).toEqual([{ two: 'yy' }])
    file('functions/a-one.sql', one('y').replaceAll('\n', '\r\n'))
    expect(await run()).toEqual([])
  })

  it('change all together or not at all', async () => {
    await run()
    file('functions/a-one.sql', one('y'))
    file('functions/b-two.sql', `${two}select nonsense;`)
    await expect(run()).rejects.toThrow(
      'Migration functions/b-two.sql failed: column "nonsense" does not exist',
    )
    expect(await sql`select one()`).toEqual([{ one: 'x' }])
    file('functions/b-two.sql', two)
    expect(await run()).toEqual(['functions/a-one.sql'])
  })

  it('run again when a deleted file is restored', async () => {
    await run()
    rmSync(join(directory, 'functions/b-two.sql'))
    file('0003-drop-two.sql', 'drop function two()')
    expect(await run()).toEqual(['0003-drop-two.sql'])
    file('functions/b-two.sql', two)
    expect(await run()).toEqual(['functions/b-two.sql'])
  })

  it('run once even if eight processes start at the same time', async () => {
    const runs = await Promise.all(Array.from({ length: 8 }, run))
    expect(runs.flat()).toHaveLength(4)
  })
})
