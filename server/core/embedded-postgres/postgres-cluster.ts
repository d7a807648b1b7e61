import { randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, type Binaries, chooseAccount, isServerProcess, run } from './postgres-binaries.ts'

/** A cluster on disk: `home` holds the cluster's folder, the password (mode 0600) and the server's log. */
export type Cluster = { home: string; folder: string; log: string; password: string; account: Account }

/** The superuser of an embedded cluster, and the name of the application's database in it. */
export const databaseName = 'reelmark'

/**
 * Opens the cluster in `dataDir`/postgres, making it first when there is none. Safe to call in many processes at
 * once: each makes its own aside and one rename wins. `isNew` is true for that winner only.
 */
export async function openCluster(
  binaries: Binaries,
  dataDirOrRelative: string,
  durable: boolean,
): Promise<{ cluster: Cluster; isNew: boolean }> {
  // The programs run with a working directory of their own.
  const dataDir = resolve(dataDirOrRelative)
  mkdirSync(dataDir, { recursive: true })
  const home = join(dataDir, 'postgres')
  const account = await chooseAccount(binaries, dataDir, join(home, 'cluster'))
  const isNew = !existsSync(home) && (await createCluster(binaries, dataDir, home, account, durable))
  let password: string
  try {
    password = readFileSync(join(home, 'password'), 'utf8').trim()
  } catch (error) {
    throw new Error(`The embedded database's password cannot be read: ${(error as Error).message}`)
  }
  const cluster = { home, folder: join(home, 'cluster'), log: join(home, 'log'), password, account }
  return { cluster, isNew }
}

async function createCluster(
  binaries: Binaries,
  dataDir: string,
  home: string,
  account: Account,
  durable: boolean,
): Promise<boolean> {
  removeAbandonedClusters(dataDir)
  const aside = join(dataDir, `postgres-new-${process.pid}-${randomBytes(4).toString('hex')}`)
  const passwordFile = join(aside, 'password')
  mkdirSync(aside)
  writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 })
  if (account.kind === 'user') {
    chownSync(aside, account.uid, account.gid)
    chownSync(passwordFile, account.uid, account.gid)
  }
  // The builtin C.UTF-8 sorts by code point the same way on every machine, whatever its C library or ICU.
  const args = [
    '-D',
    join(aside, 'cluster'),
    '-U',
    databaseName,
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
  ]
  args.push('-E', 'UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8')
  args.push('--no-instructions', ...(durable ? [] : ['--no-sync']))
  const created = await run(binaries.initdb, args, account, aside)
  if (created.code !== 0) {
    rmSync(aside, { recursive: true, force: true })
    throw new Error(`The embedded database could not be made:\n${created.output.trim()}`)
  }
  try {
    renameSync(aside, home)
    return true
  } catch (error) {
    rmSync(aside, { recursive: true, force: true })
    if (existsSync(home)) return false
    throw error
  }
}

/** Half-made clusters of processes that were killed meanwhile. An hour is far beyond any initdb. */
function removeAbandonedClusters(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    const path = join(dataDir, name)
    if (!name.startsWith('postgres-new-')) continue
    try {
      if (Date.now() - statSync(path).mtimeMs > 3_600_000) rmSync(path, { recursive: true, force: true })
    } catch {
      // Its maker renamed or removed it just now.
    }
  }
}

/**
 * The server that runs on this cluster: its pid and port (null while it has not yet said), or null if there is none.
 * A lock file that names a recycled pid is neutralised on the way, or PostgreSQL would refuse to start.
 */
export async function findServer(cluster: Cluster): Promise<{ pid: number; port: number | null } | null> {
  const file = join(cluster.folder, 'postmaster.pid')
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return null
  }
  // Lines: pid, folder, start time, port, socket folder, address, shared memory key, status.
  const lines = text.split('\n')
  const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10))
  if (!pid) return null
  if (await isServerProcess(pid, cluster.folder)) {
    const port = Number.parseInt(lines[3] ?? '', 10)
    return { pid, port: port > 0 ? port : null }
  }
  if (isAlive(pid)) clearStalePid(file, text)
  return null
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Takes the pid out of a stale lock file. The rest stays: from it PostgreSQL knows the shared memory to look at for
 * processes left over from a crash. Taken away by rename and looked at again, so that of two launchers at work
 * neither can remove the lock of a server which the other has just started.
 */
function clearStalePid(file: string, judged: string): void {
  const taken = `${file}.${randomBytes(4).toString('hex')}`
  const edited = `${taken}.edited`
  // Above any possible pid, so it belongs to nobody.
  const nobody = '2147483647'
  try {
    const { uid, gid } = statSync(file)
    renameSync(file, taken)
    const stale = readFileSync(taken, 'utf8') === judged
    if (stale) {
      writeFileSync(edited, judged.replace(/^-?\d+/, nobody), { mode: 0o600 })
      if (process.getuid?.() === 0) chownSync(edited, uid, gid)
    }
    linkSync(stale ? edited : taken, file)
  } catch {
    // Another launcher was quicker.
  } finally {
    rmSync(taken, { force: true })
    rmSync(edited, { force: true })
  }
}

/** What nobody reads after a crash need not be kept well; nor packed, which took 90 ms for each test's database. */
const nonDurableSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_compression: 'off',
  autovacuum: 'off',
}

/**
 * Starts a server on 127.0.0.1:`port` that outlives this process. Returns null once it accepts connections, else
 * what it said; `passing` tells whether trying again makes sense (a lock or a port still held).
 */
export async function launch(
  binaries: Binaries,
  cluster: Cluster,
  port: number,
  durable: boolean,
): Promise<{ said: string; passing: boolean } | null> {
  rotateLog(cluster)
  const from = existsSync(cluster.log) ? statSync(cluster.log).size : 0
  const settings: Record<string, string | number> = {
    port,
    listen_addresses: '127.0.0.1',
    // Sockets would need a folder of their own, short enough for every system; TCP with a password does.
    unix_socket_directories: '',
    max_connections: 100,
    shared_buffers: '192MB',
    // What the page cache of a small machine can be expected to hold; only the planner reads it.
    effective_cache_size: '1GB',
    work_mem: '8MB',
    maintenance_work_mem: '128MB',
    random_page_cost: 1.1,
    max_wal_size: '2GB',
    wal_compression: 'on',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // One call for the file system instead of one for each file, before a recovery.
    ...(process.platform === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {}),
    ...(durable ? {} : nonDurableSettings),
  }
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  const args = ['start', '-w', '-t', '60', '-D', cluster.folder, '-l', cluster.log, '-o', options.join(' ')]
  const { code, output } = await run(binaries.pgCtl, args, cluster.account, cluster.home)
  if (code === 0) return null
  const lastLine = existsSync(cluster.log) ? readFileSync(cluster.log, 'utf8').slice(from).trim() : ''
  const passing = /lock file|shared memory block|in use|could not bind|starting up|shutting down/.test(
    lastLine,
  )
  return { said: lastLine || output.trim(), passing }
}

/** pg_ctl only appends. One generation back is enough to look into a crash. */
function rotateLog(cluster: Cluster): void {
  try {
    if (statSync(cluster.log).size > 10_000_000) renameSync(cluster.log, `${cluster.log}.old`)
  } catch {
    // No log yet, or another process is renaming it.
  }
}

/**
 * Stops the server, dropping connections but losing nothing. False when it would not within a minute.
 * Not by `pg_ctl stop`: that waits for the lock file to go, and so for ever once another process starts the next
 * server right after ours.
 */
export async function shutDown(binaries: Binaries, cluster: Cluster): Promise<boolean> {
  const server = await findServer(cluster)
  if (!server) return true
  await run(binaries.pgCtl, ['kill', 'INT', String(server.pid)], cluster.account, cluster.home)
  const deadline = Date.now() + 60_000
  while (await isServerProcess(server.pid, cluster.folder)) {
    if (Date.now() > deadline) return false
    await sleep(20)
  }
  return true
}

/** A port of 127.0.0.1 that is free now. Another program may still take it before us: callers retry. */
export function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const server = createServer()
    server.once('error', failed)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
