import { createHmac, randomBytes } from 'node:crypto'
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
import { basename, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPrivateFolder } from '../private-folder.ts'
import { type Account, type Binaries, chooseAccount, isServerProcess, run } from './postgres-binaries.ts'
import { serverSettings } from './postgres-settings.ts'

/** A cluster on disk: `home` contains the cluster's folder, the password file (mode 0600) and the server's log. */
export type Cluster = { home: string; folder: string; log: string; password: string; account: Account }

/** The superuser of an embedded cluster, who owns the tables, and the name of the application's database in it. */
export const databaseName = 'reelmark'

/** The role of the application in an embedded cluster (server/core/database/app-role.ts). */
export const appRole = 'reelmark_app'

/** Returns the password of the application's role. The superuser's cannot be derived from it. */
export function appPassword({ password }: Cluster): string {
  return createHmac('sha256', password).update(appRole).digest('base64url')
}

/**
 * Opens the cluster in `dataDir`/postgres and creates it if it does not exist. Processes that start at the same time each
 * create their own under another name, and one rename wins. `isNew` is true only for that process.
 */
export async function openCluster(
  binaries: Binaries,
  dataDirOrRelative: string,
  durable: boolean,
): Promise<{ cluster: Cluster; isNew: boolean }> {
  // Made absolute, because the programs run in another working directory.
  const dataDir = resolve(dataDirOrRelative)
  createPrivateFolder(dataDir)
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

/**
 * Returns the cluster's folder as an argument for a program that runs in that folder. Another account cannot enter the
 * data folder, so it reaches its own folder inside through its working directory, which root enters for it. A relative
 * path would not do, because PostgreSQL makes it absolute.
 */
function folderArgument({ kind }: Account, folder: string): string {
  return kind === 'user' && process.platform === 'linux' ? '/proc/self/cwd' : folder
}

async function createCluster(
  binaries: Binaries,
  dataDir: string,
  home: string,
  account: Account,
  durable: boolean,
): Promise<boolean> {
  removeAbandonedClusters(dataDir)
  const temporary = join(dataDir, `postgres-new-${process.pid}-${randomBytes(4).toString('hex')}`)
  const passwordFile = join(temporary, 'password')
  const folder = join(temporary, 'cluster')
  mkdirSync(temporary, { mode: 0o700 })
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 })
  if (account.kind === 'user') {
    for (const path of [temporary, folder, passwordFile]) chownSync(path, account.uid, account.gid)
  }
  // The builtin C.UTF-8 sorts by code point on every machine, independently of its C library or ICU.
  const args = [
    '-D',
    folderArgument(account, folder),
    '-U',
    databaseName,
    '-A',
    'scram-sha-256',
    `--pwfile=${join('..', 'password')}`,
  ]
  args.push('-E', 'UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8')
  // Tests open thousands of connections, and hashing the password 4096 times would take longer than their statements.
  args.push('--no-instructions', ...(durable ? [] : ['--no-sync', '-c', 'scram_iterations=1']))
  const created = await run(binaries.initdb, args, account, folder)
  if (created.code !== 0) {
    rmSync(temporary, { recursive: true, force: true })
    throw new Error(`The embedded database could not be created:\n${created.output.trim()}`)
  }
  try {
    renameSync(temporary, home)
    return true
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    if (existsSync(home)) return false
    throw error
  }
}

/** Removes incomplete clusters of killed processes. An initdb never takes an hour. */
function removeAbandonedClusters(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    const path = join(dataDir, name)
    if (!name.startsWith('postgres-new-')) continue
    try {
      if (Date.now() - statSync(path).mtimeMs > 3_600_000) rmSync(path, { recursive: true, force: true })
    } catch {
      // The process that created it has just renamed or removed it.
    }
  }
}

/**
 * Returns pid and port of the server that runs on this cluster (port null until it is known), or null if no server runs.
 * Clears a lock file with the pid of another process, because PostgreSQL would refuse to start.
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
 * Replaces the pid in a stale lock file. The rest is kept: PostgreSQL reads from it the shared memory in which to look for
 * processes that survived a crash. The file is renamed and compared first, so that of two concurrent launchers neither can
 * remove the lock of a server that the other has just started.
 */
function clearStalePid(file: string, staleText: string): void {
  const taken = `${file}.${randomBytes(4).toString('hex')}`
  const edited = `${taken}.edited`
  // Larger than any possible pid, so that no process has it.
  const unusedPid = '2147483647'
  try {
    const { uid, gid } = statSync(file)
    renameSync(file, taken)
    const isStale = readFileSync(taken, 'utf8') === staleText
    if (isStale) {
      writeFileSync(edited, staleText.replace(/^-?\d+/, unusedPid), { mode: 0o600 })
      if (process.getuid?.() === 0) chownSync(edited, uid, gid)
    }
    linkSync(isStale ? edited : taken, file)
  } catch {
    // Another launcher was faster.
  } finally {
    rmSync(taken, { force: true })
    rmSync(edited, { force: true })
  }
}

/**
 * Starts a server on 127.0.0.1:`port` that survives this process. Returns null once it accepts connections, else its error
 * message; `isTransient` says whether a retry makes sense (a lock or a port is still held).
 */
export async function launch(
  binaries: Binaries,
  cluster: Cluster,
  port: number,
  durable: boolean,
  extraSettings: Record<string, string> = {},
): Promise<{ message: string; isTransient: boolean } | null> {
  rotateLog(cluster)
  const from = existsSync(cluster.log) ? statSync(cluster.log).size : 0
  const settings: Record<string, string | number> = {
    port,
    listen_addresses: '127.0.0.1',
    // Sockets would need a folder with a short path; TCP with a password works everywhere.
    unix_socket_directories: '',
    ...serverSettings(durable),
    ...extraSettings,
  }
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  const folder = folderArgument(cluster.account, cluster.folder)
  const log = join('..', basename(cluster.log))
  const args = ['start', '-w', '-t', '60', '-D', folder, '-l', log, '-o', options.join(' ')]
  const { code, output } = await run(binaries.pgCtl, args, cluster.account, cluster.folder)
  if (code === 0) return null
  const lastLine = existsSync(cluster.log) ? readFileSync(cluster.log, 'utf8').slice(from).trim() : ''
  const isTransient = /lock file|shared memory block|in use|could not bind|starting up|shutting down/.test(
    lastLine,
  )
  return { message: lastLine || output.trim(), isTransient }
}

/** Rotates the log, to which pg_ctl only appends. One old file is enough to investigate a crash. */
function rotateLog(cluster: Cluster): void {
  try {
    if (statSync(cluster.log).size > 10_000_000) renameSync(cluster.log, `${cluster.log}.old`)
  } catch {
    // No log yet, or another process is renaming it.
  }
}

/**
 * Stops the server, closing connections without losing data. Returns false if it does not stop within a minute. Does not
 * use `pg_ctl stop`, which waits until the lock file disappears, and so forever if another process starts the next server
 * immediately.
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

/** Returns a port of 127.0.0.1 that is free now. Another program may take it first, so callers retry. */
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
