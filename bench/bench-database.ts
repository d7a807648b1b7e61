/** Databases for measurements, in a separate cluster, created once and reused until the schema or the generator changes. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { connect, type Db, type Sql } from '../server/core/database/database.ts'
import { migrate } from '../server/core/database/migrate.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../server/core/embedded-postgres/embedded-postgres.ts'
import { memorySettings } from '../server/core/embedded-postgres/postgres-settings.ts'
import { recountLongLists } from '../server/features/listing/long-lists.ts'
import { selectPopularBookmarks } from '../server/features/listing/search-ranking.ts'
import { storeAnchors, storeOrderAnchors } from '../server/features/listing/store-anchors.ts'
import { loadSampleContent } from '../server/sample-content/load-sample-content.ts'
import { fillDatabase } from './generate-data.ts'
import { siteSize } from './generated-site.ts'

export interface BenchDatabase {
  url: string
  stop(): Promise<void>
}

const clusterSettings = {
  // Rows that are copied into a table of the same transaction, and their indexes, need no WAL.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
  // As for the data of a site, and not for that of a test.
  ...memorySettings(),
}

/** Identifies the generated data: it depends on the generator and on the schema. */
function dataVersion(): string {
  const files = [
    'binary-rows.ts',
    'generate-data.ts',
    'generated-activity.ts',
    'generated-counters.ts',
    'generated-rows.ts',
    'generated-site.ts',
    'search-vector.ts',
    'video-ids-thread.ts',
    '../server/migrations/schema.sql',
  ]
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(path.join(import.meta.dirname, file)))
  return hash.digest('hex').slice(0, 16)
}

/**
 * Starts a cluster for measurements in a folder of `.cache`. `BENCH_CLUSTER` (postgres://superuser@…) selects another server
 * instead, for example one on another disk.
 */
export async function startBenchCluster(
  folder: string,
  settings: Record<string, string> = {},
): Promise<Pick<EmbeddedPostgres, 'ownerUrl' | 'stop'>> {
  const url = process.env.BENCH_CLUSTER
  if (url !== undefined) return { ownerUrl: url, stop: async () => {} }
  return startEmbeddedPostgres({
    dataDir: path.join(import.meta.dirname, '../.cache', folder),
    log: { info() {}, warn: console.warn },
    durable: false,
    settings: { ...clusterSettings, ...settings },
  })
}

/** Opens a database with the sample content, or with generated data of `rows` bookmarks. */
export async function openBenchDatabase(rows: number | null): Promise<BenchDatabase> {
  const name = rows === null ? 'bench_sample' : `bench_${rows}`
  const version = dataVersion()
  let cluster = await startBenchCluster('bench-database')
  const found = await readVersion(cluster.ownerUrl, name)
  if (rows !== null && found !== version) {
    await cluster.stop()
    await generate(name, rows, version)
    cluster = await startBenchCluster('bench-database')
  }
  if (rows === null && found === null)
    await createDatabase(cluster.ownerUrl, name, version, loadSampleContent)
  const url = databaseUrl(cluster.ownerUrl, name)
  await migrate(url)
  return { url, stop: cluster.stop }
}

/** Returns the version of the generated data; null if there is no database, or if its generation was interrupted. */
async function readVersion(ownerUrl: string, name: string): Promise<string | null> {
  const admin = connect(ownerUrl, { max: 1, statementTimeout: 0 })
  const [found] = await admin<{ version: string | null }[]>`
    select shobj_description(oid, 'pg_database') as version from pg_database where datname = ${name}`
  await admin.end({ timeout: 5 })
  return found?.version ?? null
}

function databaseUrl(ownerUrl: string, name: string): string {
  const url = new URL(ownerUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Creates a database, or replaces it, fills it, and stores its version when it is complete. */
async function createDatabase(
  ownerUrl: string,
  name: string,
  version: string,
  fill: (sql: Sql, url: string) => Promise<unknown>,
): Promise<void> {
  const admin = connect(ownerUrl, { max: 1, statementTimeout: 0 })
  await admin`drop database if exists ${admin(name)}`
  await admin`create database ${admin(name)}`
  const url = databaseUrl(ownerUrl, name)
  await migrate(url)
  const sql = connect(url, { max: 2, statementTimeout: 0 })
  await fill(sql, url)
  await sql.end({ timeout: 5 })
  await admin`comment on database ${admin(name)} is ${admin.unsafe(`'${version}'`)}`
  await admin.end({ timeout: 5 })
}

async function generate(name: string, rows: number, version: string): Promise<void> {
  const start = performance.now()
  const seconds = () => Math.round((performance.now() - start) / 1000)
  const tunables = process.env.GLIBC_TUNABLES
  // Words are indexed in trees that are larger than the caches of a processor. With huge pages, that takes a sixth less time.
  process.env.GLIBC_TUNABLES = 'glibc.malloc.hugetlb=1'
  // Both cores are busy: processes that read for others only cost time.
  const cluster = await startBenchCluster('bench-database', { io_method: 'sync' })
  if (tunables === undefined) delete process.env.GLIBC_TUNABLES
  else process.env.GLIBC_TUNABLES = tunables
  await createDatabase(cluster.ownerUrl, name, version, (sql, url) =>
    fillDatabase(
      url,
      siteSize(rows),
      (step) => console.log(`${seconds()} s: ${step}`),
      async () => {
        await Promise.all([recountLongLists(sql), selectPopularBookmarks(sql)])
        await Promise.all([storeAnchors(sql), storeOrderAnchors(sql)])
      },
    ),
  )
  console.log(`Generated ${rows} bookmarks in ${seconds()} s.`)
  await cluster.stop()
}

/** Gives user 1 blocks of 300 users, and mutes of 300 users and of 100 tags. */
export async function addBlocksAndMutes(db: Db): Promise<void> {
  await db`insert into blocks (blocker_id, blocked_id) select 1, id from users where id % 13 = 0 limit 300`
  await db`insert into mutes (user_id, muted_id) select 1, id from users where id % 17 = 0 limit 300`
  await db`insert into mutes (user_id, tag) select 1, name from tags order by uses_count desc offset 100 limit 100`
}
