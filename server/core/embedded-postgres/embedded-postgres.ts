import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { quoteName } from '../database/statement.ts'
import { type Binaries, findBinaries } from './postgres-binaries.ts'
import {
  type Cluster,
  databaseName,
  findServer,
  freePort,
  launch,
  openCluster,
  shutDown,
} from './postgres-cluster.ts'

/** A running embedded database as one process sees it. */
export type EmbeddedPostgres = {
  /** `postgres://reelmark:…@127.0.0.1:<port>/reelmark` */
  url: string
  /** Whether this very call made the cluster: true in one process only, however many start at once. */
  isNew: boolean
  /** Leaves the server; stops it if no other process uses it. Close your own connections first. */
  stop(): Promise<void>
}

type Log = { info(text: string): void; warn(text: string): void }
type Options = {
  /** Made if missing; the cluster goes to its subfolder `postgres`. */
  dataDir: string
  log: Log
  /** False trades every guarantee for speed: for tests only. */
  durable?: boolean
}
type Membership = { url: string; port: number; client: Client }

/** Every process holds this lock shared, for as long as it uses the server; whoever gets it alone may stop it. */
const usageLockId = 5_271_983_041
const startTimeout = 90_000

/**
 * Starts the embedded PostgreSQL 18 of `dataDir`, or joins the one already running there, be it another process's
 * or one that a killed process left behind. The server outlives this process if that is killed, and is started
 * again on the same port if it dies itself.
 * Throws with the server's own last words when it cannot be started within 90 seconds.
 */
export async function startEmbeddedPostgres({
  dataDir,
  log,
  durable = true,
}: Options): Promise<EmbeddedPostgres> {
  const binaries = findBinaries()
  const { cluster, isNew } = await openCluster(binaries, dataDir, durable)
  const stopping = new AbortController()
  let returning: Promise<void> | null = null

  const lost = () => {
    member = null
    if (stopping.signal.aborted) return
    log.warn('The embedded database dropped its connection: joining it again.')
    returning ??= comeBack().finally(() => {
      returning = null
    })
  }
  const comeBack = async () => {
    while (!stopping.signal.aborted && member === null) {
      try {
        const joined = await joinServer(binaries, cluster, {
          durable,
          lost,
          log,
          port,
          leaving: stopping.signal,
        })
        member = joined.client
      } catch (error) {
        if (!stopping.signal.aborted) log.warn((error as Error).message)
      }
    }
  }
  const first = await joinServer(binaries, cluster, {
    durable,
    lost,
    log,
    port: null,
    leaving: stopping.signal,
  })
  const { url, port } = first
  let member: Client | null = first.client

  return {
    url,
    isNew,
    async stop() {
      if (stopping.signal.aborted) return
      stopping.abort()
      await returning
      member ??= await joinRunning(cluster)
      if (member !== null) await releaseServer(binaries, cluster, member, log)
    },
  }
}

/** Joins the server that runs on this cluster; null where none does. */
async function joinRunning(cluster: Cluster): Promise<Client | null> {
  const server = await findServer(cluster)
  if (!server?.port) return null
  const joined = await holdUsageLock(cluster, server.port, () => {})
  return 'client' in joined ? joined.client : null
}

type JoinOptions = { durable: boolean; lost: () => void; log: Log; port: number | null; leaving: AbortSignal }

async function joinServer(binaries: Binaries, cluster: Cluster, terms: JoinOptions): Promise<Membership> {
  const deadline = Date.now() + startTimeout
  let failures = 0
  let lastMessage = 'it did not answer'
  while (Date.now() < deadline && !terms.leaving.aborted) {
    const server = await findServer(cluster)
    if (server?.port) {
      const joined = await holdUsageLock(cluster, server.port, terms.lost)
      if ('client' in joined) return joined
      lastMessage = joined.said
      if (!joined.passing) break
    } else if (!server) {
      // Once a process has a port it is kept: its pools know no other.
      const refused = await launch(binaries, cluster, terms.port ?? (await freePort()), terms.durable)
      if (!refused) continue
      lastMessage = refused.said
      if (!refused.passing) failures += 1
      if (failures === 3) break
      terms.log.info('The embedded database cannot start yet: trying again.')
    }
    await sleep(100)
  }
  throw new Error(`The embedded database in ${cluster.home} does not start:\n${lastMessage}`)
}

/** Connects, takes the shared lock for as long as the connection lives, and sees to it that our database exists. */
async function holdUsageLock(
  cluster: Cluster,
  port: number,
  lost: () => void,
): Promise<Membership | { said: string; passing: boolean }> {
  const login = `postgres://${databaseName}:${encodeURIComponent(cluster.password)}@127.0.0.1:${port}`
  const client = new Client({
    connectionString: `${login}/postgres`,
    application_name: 'reelmark in use',
    connectionTimeoutMillis: 5_000,
  })
  // Without a listener a broken connection would end the process; 'end' follows, and is what counts.
  client.on('error', () => {})
  try {
    await client.connect()
    // Waits while another process is stopping the server, and fails with it: then the caller starts it anew.
    await client.query('select pg_advisory_lock_shared($1)', [usageLockId])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [databaseName])
    if (rowCount === 0)
      await client.query(`create database ${quoteName(databaseName)}`).catch(ignoreAlreadyExists)
    client.once('end', lost)
    return { url: `${login}/${databaseName}`, port, client }
  } catch (error) {
    await client.end().catch(() => {})
    const { code, message } = error as { code?: string; message: string }
    // 28P01: the password is wrong. Anything else comes of starting or stopping, and passes.
    return { said: message, passing: code !== '28P01' }
  }
}

/** 42P04 and 23505: another process made the database at the same moment. */
function ignoreAlreadyExists(error: { code?: string }): void {
  if (error.code !== '42P04' && error.code !== '23505') throw error
}

async function releaseServer(binaries: Binaries, cluster: Cluster, client: Client, log: Log): Promise<void> {
  let alone = false
  try {
    await client.query('select pg_advisory_unlock_shared($1)', [usageLockId])
    const { rows } = await client.query('select pg_try_advisory_lock($1) as alone', [usageLockId])
    alone = rows[0]?.alone === true
  } catch (error) {
    log.warn(`The embedded database could not be asked whether others use it: ${(error as Error).message}`)
  }
  // The lock is held until the server is gone: who comes meanwhile waits, and then starts it again.
  if (alone && !(await shutDown(binaries, cluster)))
    log.warn('The embedded database did not stop within a minute.')
  await client.end().catch(() => {})
}
