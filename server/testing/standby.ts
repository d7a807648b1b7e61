/** A streaming replica of an embedded PostgreSQL, with the programs that npm installed (among them no pg_basebackup). */
import { spawnSync } from 'node:child_process'
import { chownSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sql } from '../core/database/database.ts'
import { findBinaries } from '../core/embedded-postgres/postgres-binaries.ts'
import {
  type Cluster,
  findServer,
  launch,
  openCluster,
  shutDown,
} from '../core/embedded-postgres/postgres-cluster.ts'

export interface Standby {
  start(): Promise<void>
  stop(): Promise<void>
  /** Kills the server's first process, which ends the others. */
  kill(): Promise<void>
  /** Sends a signal to every process of the server. SIGSTOP makes it accept connections and never respond. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): Promise<void>
}

/**
 * Copies the running cluster of `dataDir` into `folder` and configures the copy as its standby on `port`.
 * @param owner connection of the primary's superuser
 */
export async function createStandby(
  owner: Sql,
  {
    dataDir,
    primaryUrl,
    folder,
    port,
  }: { dataDir: string; primaryUrl: string; folder: string; port: number },
): Promise<Standby> {
  const binaries = findBinaries()
  const { cluster: primary } = await openCluster(binaries, dataDir, true)
  const home = join(folder, 'postgres')
  const cluster: Cluster = { ...primary, home, folder: join(home, 'cluster'), log: join(home, 'log') }
  mkdirSync(home, { recursive: true, mode: 0o755 })
  // The write-ahead log since the copy is kept for the standby.
  await owner`select pg_create_physical_replication_slot('standby', true)`
  await owner.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    // Both calls must use one connection.
    await tx`select pg_backup_start('standby', fast => true)`
    copyCluster(primary.folder, cluster.folder)
    const [{ labelfile }] = await tx<[{ labelfile: string }]>`
      select labelfile from pg_backup_stop(wait_for_archive => false)`
    writeFileSync(join(cluster.folder, 'backup_label'), labelfile)
  })
  const { hostname, port: primaryPort, username, password } = new URL(primaryUrl)
  const connection = `host=${hostname} port=${primaryPort} user=${username} password=${decodeURIComponent(password)}`
  writeFileSync(join(cluster.folder, 'standby.signal'), '')
  writeFileSync(
    join(cluster.folder, 'postgresql.auto.conf'),
    `primary_conninfo = '${connection}'\nprimary_slot_name = 'standby'\nwal_retrieve_retry_interval = '200ms'\n`,
  )
  setOwner(home, cluster)

  const findPid = async () => {
    const server = await findServer(cluster)
    if (server === null) throw new Error('The standby does not run.')
    return server.pid
  }
  return {
    async start() {
      const failure = await launch(binaries, cluster, port, true)
      if (failure !== null) throw new Error(failure.message)
    },
    async stop() {
      await shutDown(binaries, cluster)
    },
    async kill() {
      process.kill(await findPid(), 'SIGKILL')
    },
    async signal(name) {
      const pid = await findPid()
      const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)])
      const children = stdout.toString().trim().split(/\s+/).map(Number)
      for (const each of [pid, ...children]) process.kill(each, name)
    },
  }
}

/** Copies a cluster's files, which may change meanwhile or disappear. The log is streamed instead. */
function copyCluster(from: string, to: string): void {
  const left = ['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_replslot', 'pg_stat_tmp']
  mkdirSync(to, { mode: 0o700 })
  for (const name of readdirSync(from)) {
    if (left.includes(name)) continue
    cpSync(join(from, name), join(to, name), {
      recursive: true,
      filter: (path) => !path.includes('pgsql_tmp') && !path.endsWith('pg_internal.init'),
    })
  }
  for (const name of ['pg_wal', 'pg_replslot', 'pg_stat_tmp']) mkdirSync(join(to, name), { mode: 0o700 })
  rmSync(join(to, 'standby.signal'), { force: true })
}

function setOwner(folder: string, { account }: Cluster): void {
  if (account.kind !== 'user') return
  chownSync(folder, account.uid, account.gid)
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    chownSync(join(folder, name), account.uid, account.gid)
  }
}
