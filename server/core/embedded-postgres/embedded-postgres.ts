import { setTimeout as sleep } from 'node:timers/promises'
import { Client, escapeLiteral } from 'pg'
import { quoteName } from '../database/statement.ts'
import { type Binaries, findBinaries } from './postgres-binaries.ts'
import {
  appPassword,
  appRole,
  type Cluster,
  databaseName,
  findServer,
  freePort,
  launch,
  openCluster,
  shutDown,
} from './postgres-cluster.ts'

/** A running embedded database that this process uses. */
export type EmbeddedPostgres = {
  /** `postgres://reelmark_app:…@127.0.0.1:<port>/reelmark`, for the application. */
  url: string
  /** `postgres://reelmark:…@127.0.0.1:<port>/reelmark`, the superuser, for migrations and the admin commands. */
  ownerUrl: string
  /** Whether this call created the cluster: true in one process only, even if several start at the same time. */
  isNew: boolean
  /** Stops the server unless another process uses it. The caller closes its own connections first. */
  stop(): Promise<void>
}

type Log = { info(text: string): void; warn(text: string): void }
type Options = {
  /** Created if missing; the cluster is in its subfolder `postgres`. */
  dataDir: string
  log: Log
  /** False gives up durability for speed; for tests only. */
  durable?: boolean
  /** Further settings of PostgreSQL, which apply if this call starts the server. */
  settings?: Record<string, string>
}
type Membership = { url: string; ownerUrl: string; port: number; client: Client }

/** Every process that uses the server holds this lock shared; a process that gets it exclusively may stop the server. */
const usageLockId = 5_271_983_041
const startTimeout = 90_000

/**
 * Starts the embedded PostgreSQL 18 of `dataDir`, or connects to the one that already runs there, for another process or
 * since a process was killed. The server survives this process if that is killed, and is restarted on the same port if it
 * dies.
 * @throws Error with the server's last message if it cannot be started within 90 seconds
 */
export async function startEmbeddedPostgres({
  dataDir,
  log,
  durable = true,
  settings = {},
}: Options): Promise<EmbeddedPostgres> {
  const binaries = findBinaries()
  const { cluster, isNew } = await openCluster(binaries, dataDir, durable)
  const stopping = new AbortController()
  let reconnecting: Promise<void> | null = null

  const onLost = () => {
    member = null
    if (stopping.signal.aborted) return
    log.warn('The embedded database dropped its connection: joining it again.')
    reconnecting ??= reconnect().finally(() => {
      reconnecting = null
    })
  }
  const reconnect = async () => {
    while (!stopping.signal.aborted && member === null) {
      try {
        const joined = await joinServer(binaries, cluster, {
          durable,
          settings,
          lost: onLost,
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
    settings,
    lost: onLost,
    log,
    port: null,
    leaving: stopping.signal,
  })
  const { url, ownerUrl, port } = first
  let member: Client | null = first.client

  return {
    url,
    ownerUrl,
    isNew,
    async stop() {
      if (stopping.signal.aborted) return
      stopping.abort()
      await reconnecting
      member ??= await joinRunning(cluster)
      if (member !== null) await releaseServer(binaries, cluster, member, log)
    },
  }
}

/** Connects to the server that runs on this cluster, or returns null if none runs. */
async function joinRunning(cluster: Cluster): Promise<Client | null> {
  const server = await findServer(cluster)
  if (!server?.port) return null
  const joined = await holdUsageLock(cluster, server.port, () => {})
  return 'client' in joined ? joined.client : null
}

type JoinOptions = {
  durable: boolean
  settings: Record<string, string>
  lost: () => void
  log: Log
  port: number | null
  leaving: AbortSignal
}

async function joinServer(binaries: Binaries, cluster: Cluster, terms: JoinOptions): Promise<Membership> {
  const deadline = Date.now() + startTimeout
  let failures = 0
  let lastMessage = 'it did not answer'
  while (Date.now() < deadline && !terms.leaving.aborted) {
    const server = await findServer(cluster)
    if (server?.port) {
      const joined = await holdUsageLock(cluster, server.port, terms.lost)
      if ('client' in joined) return joined
      lastMessage = joined.message
      if (!joined.isTransient) break
    } else if (!server) {
      // The port never changes, because the pools of this process use it.
      const port = terms.port ?? (await freePort())
      const refused = await launch(binaries, cluster, port, terms.durable, terms.settings)
      if (!refused) continue
      lastMessage = refused.message
      if (!refused.isTransient) failures += 1
      if (failures === 3) break
      terms.log.info('The embedded database cannot start yet: trying again.')
    }
    await sleep(100)
  }
  throw new Error(`The embedded database in ${cluster.home} does not start:\n${lastMessage}`)
}

/**
 * Connects, holds the shared lock while the connection is open, and creates the database and the application's role if they
 * do not exist.
 */
async function holdUsageLock(
  cluster: Cluster,
  port: number,
  lost: () => void,
): Promise<Membership | { message: string; isTransient: boolean }> {
  const login = (role: string, password: string) =>
    `postgres://${role}:${encodeURIComponent(password)}@127.0.0.1:${port}`
  const owner = login(databaseName, cluster.password)
  const client = new Client({
    connectionString: `${owner}/postgres`,
    application_name: 'reelmark in use',
    connectionTimeoutMillis: 5_000,
  })
  // Without this handler a broken connection would end the process; the 'end' event that follows is handled below.
  client.on('error', () => {})
  try {
    await client.connect()
    // Waits while another process stops the server, and fails when it has stopped: then the caller starts it again.
    await client.query('select pg_advisory_lock_shared($1)', [usageLockId])
    await prepareDatabase(client)
    await createAppRole(client, cluster)
    client.once('end', lost)
    const url = `${login(appRole, appPassword(cluster))}/${databaseName}`
    return { url, ownerUrl: `${owner}/${databaseName}`, port, client }
  } catch (error) {
    await client.end().catch(() => {})
    const { code, message } = error as { code?: string; message: string }
    // 28P01: the password is wrong. Other errors are caused by a start or stop, and are transient.
    return { message, isTransient: code !== '28P01' }
  }
}

/** Creates the database if it does not exist, and has its log leave out the details of errors, which quote rows. */
async function prepareDatabase(client: Client): Promise<void> {
  const { rows } = await client.query<{ setconfig: string[] | null }>(
    `select s.setconfig from pg_database d
       left join pg_db_role_setting s on s.setdatabase = d.oid and s.setrole = 0
      where d.datname = $1`,
    [databaseName],
  )
  const name = quoteName(databaseName)
  if (rows.length === 0) await client.query(`create database ${name}`).catch(ignoreConcurrentChange)
  if (!rows[0]?.setconfig?.includes('log_error_verbosity=terse')) {
    await client.query(`alter database ${name} set log_error_verbosity = terse`).catch(ignoreConcurrentChange)
  }
}

/** Creates the role without any right; migrations grant it what it needs. */
async function createAppRole(client: Client, cluster: Cluster): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [appRole])
  if (rowCount !== 0) return
  const password = escapeLiteral(appPassword(cluster))
  await client.query(`create role ${appRole} login password ${password}`).catch(ignoreConcurrentChange)
}

/** Ignores 42P04, 42710, 23505 and XX000 (tuple concurrently updated): another process did the same at the same moment. */
function ignoreConcurrentChange(error: { code?: string }): void {
  if (!['42P04', '42710', '23505', 'XX000'].includes(error.code ?? '')) throw error
}

async function releaseServer(binaries: Binaries, cluster: Cluster, client: Client, log: Log): Promise<void> {
  let isLastUser = false
  try {
    await client.query('select pg_advisory_unlock_shared($1)', [usageLockId])
    const { rows } = await client.query('select pg_try_advisory_lock($1) as alone', [usageLockId])
    isLastUser = rows[0]?.alone === true
  } catch (error) {
    log.warn(
      `The embedded database could not be asked whether other processes use it: ${(error as Error).message}`,
    )
  }
  // Held until the server has stopped: a process that starts meanwhile waits, and then starts the server again.
  if (isLastUser && !(await shutDown(binaries, cluster)))
    log.warn('The embedded database did not stop within a minute.')
  await client.end().catch(() => {})
}
