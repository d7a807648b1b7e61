import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connect } from '../database/database.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

// Real processes, real kills: what is tested here is what happens when nobody gets to clean up.
const fixture = join(import.meta.dirname, 'embedded-postgres.fixture.ts')
const isRoot = process.getuid?.() === 0
const canUnshare = spawnSync('unshare', ['-U', '--map-user=1000', 'true']).status === 0

type App = { child: ChildProcess; url: string; isNew: boolean; lines: string[] }

let seed: string
let dataDir: string
let children: ChildProcess[]

beforeAll(async () => {
  seed = mkdtempSync(join(tmpdir(), 'reelmark-seed-'))
  chmodSync(seed, 0o755)
  const database = await startEmbeddedPostgres({ dataDir: seed, log: { info() {}, warn() {} } })
  await database.stop()
})

afterAll(() => rmSync(seed, { recursive: true, force: true }))

/** A cluster that ran before, without the second which making one takes. */
function copySeed(): void {
  expect(spawnSync('cp', ['-a', join(seed, 'postgres'), dataDir]).status).toBe(0)
}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'reelmark-cluster-'))
  // As a data folder normally is: others may enter it.
  chmodSync(dataDir, 0o755)
  children = []
})

afterEach(async () => {
  for (const child of children) {
    if (child.exitCode === null && child.signalCode === null) await killed(child)
  }
  const pid = postmaster()
  if (pid) kill(pid)
  await removed(pid)
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

async function app(): Promise<App> {
  // A relative folder, as DATA_DIR is by default.
  const child = spawn(process.execPath, [fixture, basename(dataDir)], {
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [line] = await once(createInterface(child.stdout), 'line')
  return { child, ...JSON.parse(line) }
}

async function left({ child }: App): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  expect((await exit)[0]).toBe(0)
}

async function killed(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

/** The pid in the lock file, or 0 when no server holds one. */
function postmaster(): number {
  try {
    return Number.parseInt(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)
  } catch {
    return 0
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}

async function removed(pid: number): Promise<void> {
  for (let i = 0; pid && isRunning(pid) && i < 2_000; i += 1) await sleep(25)
}

function isRunning(pid: number): boolean {
  return (
    pid > 0 &&
    spawnSync('ps', ['-p', String(pid), '-o', 'stat='])
      .stdout.toString()
      .trim()
      .replace(/^Z.*/, '') !== ''
  )
}

async function ask(connectionString: string, query: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(query)).rows
  } finally {
    await client.end()
  }
}

describe('the embedded database', () => {
  it('keeps what was written over stop and start, and is new only once', async () => {
    const first = await app()
    expect(first.isNew).toBe(true)
    await ask(first.url, 'create table kept (n int); insert into kept values (42)')
    const pid = postmaster()
    await left(first)
    expect(isRunning(pid)).toBe(false)

    const second = await app()
    expect(second.isNew).toBe(false)
    expect(await ask(second.url, 'select n from kept')).toEqual([{ n: 42 }])
    await left(second)
  })

  it('is durable, speaks on loopback only and asks for its password', async () => {
    const { url } = await app()
    const settings = await ask(
      url,
      `select name, setting from pg_settings where name in
       ('fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'unix_socket_directories', 'data_checksums')`,
    )
    expect(Object.fromEntries(settings.map((row) => [row.name, row.setting]))).toEqual({
      data_checksums: 'on',
      fsync: 'on',
      full_page_writes: 'on',
      listen_addresses: '127.0.0.1',
      synchronous_commit: 'on',
      unix_socket_directories: '',
    })
    expect(statSync(join(dataDir, 'postgres/password')).mode & 0o777).toBe(0o600)
    const wrong = new URL(url)
    wrong.password = 'guess'
    await expect(ask(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
    wrong.password = ''
    await expect(ask(wrong.href, 'select 1')).rejects.toThrow()
  })

  it('is adopted by the next start when the application was killed', async () => {
    copySeed()
    const first = await app()
    const pid = postmaster()
    await killed(first.child)
    expect(isRunning(pid)).toBe(true)

    const second = await app()
    expect(second.url).toBe(first.url)
    expect(postmaster()).toBe(pid)
    await left(second)
    expect(isRunning(pid)).toBe(false)
  })

  it('starts again when application and postmaster were killed during writes', async () => {
    copySeed()
    const first = await app()
    await ask(first.url, 'create table kept (n int primary key)')
    const sql = connect(first.url, { max: 4 })
    const acknowledged: number[] = []
    const writers = Array.from({ length: 4 }, async (_, w) => {
      for (let n = w; ; n += 4) {
        await sql`insert into kept values (${n})`
        acknowledged.push(n)
      }
    })
    const ended = Promise.allSettled(writers)
    await expect.poll(() => acknowledged.length).toBeGreaterThan(20)
    const dead = postmaster()
    // The application first, or it would start the server again.
    await killed(first.child)
    kill(dead)
    await ended
    await sql.end({ timeout: 1 })

    const second = await app()
    expect(postmaster()).not.toBe(dead)
    const rows = await ask(second.url, 'select n from kept')
    const found = new Set(rows.map((row) => row.n))
    expect(acknowledged.filter((n) => !found.has(n))).toEqual([])
    await left(second)
  })

  it('starts although another process has the pid that a dead server left in its lock file', async () => {
    copySeed()
    const first = await app()
    await killed(first.child)
    const dead = postmaster()
    kill(dead)
    await removed(dead)
    // A stranger of the same account, which PostgreSQL by itself takes for a running server.
    const { uid, gid } = statSync(join(dataDir, 'postgres/cluster'))
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore', cwd: '/', ...(isRoot ? { uid, gid } : {}) })
    children.push(stranger)
    const lock = join(dataDir, 'postgres/cluster/postmaster.pid')
    writeFileSync(lock, readFileSync(lock, 'utf8').replace(/^\d+/, String(stranger.pid)))

    const second = await app()
    expect(second.lines).toEqual([])
    expect(postmaster()).not.toBe(stranger.pid)
    expect(isRunning(stranger.pid ?? 0)).toBe(true)
    expect(await ask(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(
      readdirSync(join(dataDir, 'postgres/cluster')).filter((name) => name.startsWith('postmaster.pid.')),
    ).toEqual([])
    await left(second)
  })

  it('is made once by four cold starts, shared by them, and stopped by the last to leave', async () => {
    const apps = await Promise.all([app(), app(), app(), app()])
    expect(apps.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(new Set(apps.map(({ url }) => url)).size).toBe(1)
    expect(readdirSync(dataDir)).toEqual(['postgres'])
    const [a, b, c, d] = apps as [App, App, App, App]
    const pid = postmaster()
    await left(a)
    await killed(b.child)
    await left(c)
    expect(postmaster()).toBe(pid)
    expect(await ask(d.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await left(d)
    expect(isRunning(pid)).toBe(false)
  })

  it('is there for who comes while the last is leaving', async () => {
    copySeed()
    let current = await app()
    for (let round = 0; round < 8; round += 1) {
      const next = app()
      // A newcomer takes some 150 ms to get to the database: the leaving falls before, into and after that.
      await sleep(40 + round * 20)
      await left(current)
      current = await next
      expect(await ask(current.url, 'select 1 as one')).toEqual([{ one: 1 }])
    }
    await left(current)
  })

  it('comes back on the same port when the server alone was killed', async () => {
    copySeed()
    const lines: string[] = []
    const log = { info: (text: string) => lines.push(text), warn: (text: string) => lines.push(text) }
    const database = await startEmbeddedPostgres({ dataDir, log })
    kill(postmaster())
    let answer: unknown
    for (let i = 0; i < 2_000 && !answer; i += 1) {
      answer = await ask(database.url, 'select 1 as one').catch(() => sleep(50))
    }
    expect(answer).toEqual([{ one: 1 }])
    await expect.poll(() => lines.length).toBeGreaterThan(0)
    expect(lines[0]).toBe('The embedded database dropped its connection: joining it again.')
    await database.stop()
    expect(postmaster()).toBe(0)
  })

  it('says what PostgreSQL said when it cannot start', async () => {
    copySeed()
    writeFileSync(join(dataDir, 'postgres/cluster/PG_VERSION'), '17\n')
    const log = { info() {}, warn() {} }
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
      /initialized by PostgreSQL version 17/,
    )
  })

  it.runIf(isRoot)('lends root another account', async () => {
    const { url } = await app()
    expect(statSync(join(dataDir, 'postgres/cluster')).uid).not.toBe(0)
    expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it.runIf(isRoot && canUnshare)(
    'runs below a folder only root can enter, and goes on so when that is opened',
    async () => {
      chmodSync(dataDir, 0o700)
      const first = await app()
      expect(statSync(join(dataDir, 'postgres/cluster')).uid).toBe(0)
      await left(first)
      chmodSync(dataDir, 0o755)
      const second = await app()
      expect(statSync(join(dataDir, 'postgres/cluster')).uid).toBe(0)
      expect(await ask(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
      await left(second)
    },
  )
})
