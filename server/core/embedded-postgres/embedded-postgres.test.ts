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

// Uses real processes and kills, because the tests are about what happens when processes cannot clean up.
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

/** Copies a cluster that was created before, which saves the second that creating one takes. */
function copySeed(): void {
  expect(spawnSync('cp', ['-a', join(seed, 'postgres'), dataDir]).status).toBe(0)
}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'reelmark-cluster-'))
  // Other accounts may enter it, as is usual for a data folder.
  chmodSync(dataDir, 0o755)
  children = []
})

afterEach(async () => {
  for (const child of children) {
    if (child.exitCode === null && child.signalCode === null) await killAndWait(child)
  }
  const pid = readPostmasterPid()
  if (pid) kill(pid)
  await waitUntilExited(pid)
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

async function startApp(env: Record<string, string> = {}): Promise<App> {
  // Relative, as DATA_DIR is by default.
  const child = spawn(process.execPath, [fixture, basename(dataDir)], {
    cwd: tmpdir(),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [line] = await once(createInterface(child.stdout), 'line')
  return { child, ...JSON.parse(line) }
}

async function stopApp({ child }: App): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  expect((await exit)[0]).toBe(0)
}

async function killAndWait(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

/** Returns the pid in the lock file, or 0 without a lock file. */
function readPostmasterPid(): number {
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
    // The process does not exist any more.
  }
}

async function waitUntilExited(pid: number): Promise<void> {
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

async function query(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

describe('the embedded database', () => {
  it('keeps its data across a restart, and is new only the first time', async () => {
    const first = await startApp()
    expect(first.isNew).toBe(true)
    await query(first.url, 'create table kept (n int); insert into kept values (42)')
    const pid = readPostmasterPid()
    await stopApp(first)
    expect(isRunning(pid)).toBe(false)

    const second = await startApp()
    expect(second.isNew).toBe(false)
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 42 }])
    await stopApp(second)
  })

  it('is durable, listens on loopback only and requires its password', async () => {
    const { url } = await startApp()
    const settings = await query(
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
    await expect(query(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
    wrong.password = ''
    await expect(query(wrong.href, 'select 1')).rejects.toThrow()
  })

  it('has a data folder that no other account can enter, also if the folder exists and was open to all', async () => {
    const app = await startApp()
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    expect(statSync(dataDir).uid).toBe(process.getuid?.())
    expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700)
    await stopApp(app)
    const again = await startApp()
    expect(await query(again.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await query(again.url, 'select pg_reload_conf()')
    expect(await query(again.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it.runIf(process.platform === 'linux')('gets no secrets in its environment', async () => {
    await startApp({ SMTP_URL: 'smtps://me:a-secret@mail.example', S3_URL: 's3://K:a-secret@s3.example/b' })
    const environment = readFileSync(`/proc/${readPostmasterPid()}/environ`, 'utf8')
    expect(environment).toContain('LC_ALL=C')
    expect(environment).not.toMatch(/secret|SMTP|S3_URL|npm_/i)
  })

  it('is used by the next start after the application was killed', async () => {
    copySeed()
    const first = await startApp()
    const pid = readPostmasterPid()
    await killAndWait(first.child)
    expect(isRunning(pid)).toBe(true)

    const second = await startApp()
    expect(second.url).toBe(first.url)
    expect(readPostmasterPid()).toBe(pid)
    await stopApp(second)
    expect(isRunning(pid)).toBe(false)
  })

  it('loses no acknowledged write when application and server are killed', async () => {
    copySeed()
    const first = await startApp()
    await query(first.url, 'create table kept (n int primary key)')
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
    const dead = readPostmasterPid()
    // The application is killAndWait first, because it would restart the server.
    await killAndWait(first.child)
    kill(dead)
    await ended
    await sql.end({ timeout: 1 })

    const second = await startApp()
    expect(readPostmasterPid()).not.toBe(dead)
    const rows = await query(second.url, 'select n from kept')
    const found = new Set(rows.map((row) => row.n))
    expect(acknowledged.filter((n) => !found.has(n))).toEqual([])
    await stopApp(second)
  })

  it('starts although another process has the pid in the lock file of a dead server', async () => {
    copySeed()
    const first = await startApp()
    await killAndWait(first.child)
    const dead = readPostmasterPid()
    kill(dead)
    await waitUntilExited(dead)
    // A process of the same account, which PostgreSQL would take for a running server.
    const { uid, gid } = statSync(join(dataDir, 'postgres/cluster'))
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore', cwd: '/', ...(isRoot ? { uid, gid } : {}) })
    children.push(stranger)
    const lock = join(dataDir, 'postgres/cluster/postmaster.pid')
    writeFileSync(lock, readFileSync(lock, 'utf8').replace(/^\d+/, String(stranger.pid)))

    const second = await startApp()
    expect(second.lines).toEqual([])
    expect(readPostmasterPid()).not.toBe(stranger.pid)
    expect(isRunning(stranger.pid ?? 0)).toBe(true)
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(
      readdirSync(join(dataDir, 'postgres/cluster')).filter((name) => name.startsWith('postmaster.pid.')),
    ).toEqual([])
    await stopApp(second)
  })

  it('is created once by four concurrent starts, shared by them, and stopped with the last one', async () => {
    const apps = await Promise.all([startApp(), startApp(), startApp(), startApp()])
    expect(apps.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(new Set(apps.map(({ url }) => url)).size).toBe(1)
    expect(readdirSync(dataDir)).toEqual(['postgres'])
    const [a, b, c, d] = apps as [App, App, App, App]
    const pid = readPostmasterPid()
    await stopApp(a)
    await killAndWait(b.child)
    await stopApp(c)
    expect(readPostmasterPid()).toBe(pid)
    expect(await query(d.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await stopApp(d)
    expect(isRunning(pid)).toBe(false)
  })

  it('is available to an application that starts while the last one stops', async () => {
    copySeed()
    let current = await startApp()
    for (let round = 0; round < 8; round += 1) {
      const next = startApp()
      // A start takes about 150 ms: the stop happens before, during and after that.
      await sleep(40 + round * 20)
      await stopApp(current)
      current = await next
      expect(await query(current.url, 'select 1 as one')).toEqual([{ one: 1 }])
    }
    await stopApp(current)
  })

  it('is restarted on the same port if only the server was killed', async () => {
    copySeed()
    const lines: string[] = []
    const log = { info: (text: string) => lines.push(text), warn: (text: string) => lines.push(text) }
    const database = await startEmbeddedPostgres({ dataDir, log })
    kill(readPostmasterPid())
    let answer: unknown
    for (let i = 0; i < 2_000 && !answer; i += 1) {
      answer = await query(database.url, 'select 1 as one').catch(() => sleep(50))
    }
    expect(answer).toEqual([{ one: 1 }])
    await expect.poll(() => lines.length).toBeGreaterThan(0)
    expect(lines[0]).toBe('The embedded database dropped its connection: joining it again.')
    await database.stop()
    expect(readPostmasterPid()).toBe(0)
  })

  it('writes no contents of rows and no parameters to its log', async () => {
    copySeed()
    const database = await startEmbeddedPostgres({ dataDir, log: { info() {}, warn() {} } })
    const client = new Client({ connectionString: database.url })
    await client.connect()
    await client.query('create temp table secrets (word text primary key)')
    const insert = () => client.query('insert into secrets values ($1)', ['s3cret'])
    await insert()
    await expect(insert()).rejects.toThrow('duplicate key')
    await client.end()
    await database.stop()
    const log = readFileSync(join(dataDir, 'postgres/log'), 'utf8')
    expect(log).toContain('duplicate key')
    expect(log).not.toContain('s3cret')
  })

  it('reports the message of PostgreSQL if it cannot start', async () => {
    copySeed()
    writeFileSync(join(dataDir, 'postgres/cluster/PG_VERSION'), '17\n')
    const log = { info() {}, warn() {} }
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
      /initialized by PostgreSQL version 17/,
    )
  })

  it.runIf(isRoot)('runs as another account if the application is root', async () => {
    const { url } = await startApp()
    expect(statSync(join(dataDir, 'postgres/cluster')).uid).not.toBe(0)
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it.runIf(isRoot && canUnshare)('still runs as root in a namespace if root owns its files', async () => {
    copySeed()
    expect(spawnSync('chown', ['-R', '0:0', join(dataDir, 'postgres')]).status).toBe(0)
    const { url } = await startApp()
    expect(statSync(join(dataDir, 'postgres/cluster')).uid).toBe(0)
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})
