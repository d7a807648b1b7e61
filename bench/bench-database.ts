/** Databases for measurements, in a separate cluster, created once and reused. */
import path from 'node:path'
import { connect, type Db } from '../server/core/database/database.ts'
import { migrate } from '../server/core/database/migrate.ts'
import { startEmbeddedPostgres } from '../server/core/embedded-postgres/embedded-postgres.ts'
import { recountLongLists } from '../server/features/listing/long-lists.ts'
import { loadSampleContent } from '../server/sample-content/load-sample-content.ts'
import { fillDatabase } from './generate-data.ts'
import { siteSize } from './generated-site.ts'

export interface BenchDatabase {
  url: string
  stop(): Promise<void>
}

/**
 * Opens a database with the sample content, or with generated data of `rows` bookmarks. `BENCH_CLUSTER`
 * (postgres://superuser@…) selects another server, for example one with more memory.
 */
export async function openBenchDatabase(rows: number | null): Promise<BenchDatabase> {
  const name = rows === null ? 'bench_sample' : `bench_${rows}`
  const clusterUrl = process.env.BENCH_CLUSTER
  const cluster =
    clusterUrl === undefined
      ? await startEmbeddedPostgres({
          dataDir: path.join(import.meta.dirname, '../.cache/bench-database'),
          log: { info() {}, warn: console.warn },
          durable: false,
        })
      : { ownerUrl: clusterUrl, stop: async () => {} }
  const url = new URL(cluster.ownerUrl)
  const admin = connect(cluster.ownerUrl, { max: 1, statementTimeout: 0 })
  const [found] = await admin`select from pg_database where datname = ${name}`
  if (found === undefined) await admin`create database ${admin(name)}`
  await admin.end({ timeout: 5 })
  url.pathname = `/${name}`

  await migrate(url.href)
  const sql = connect(url.href, { max: 1, statementTimeout: 0 })
  const [filled] = await sql`select from users limit 1`
  if (filled === undefined && rows === null) await loadSampleContent(sql)
  if (filled === undefined && rows !== null) {
    await fillDatabase(url.href, siteSize(rows), (step) => console.log(`generating ${step}`))
    await recountLongLists(sql)
  }
  await sql.end({ timeout: 5 })
  return { url: url.href, stop: cluster.stop }
}

/** Gives user 1 blocks of 300 users, and mutes of 300 users and of 100 tags. */
export async function addBlocksAndMutes(db: Db): Promise<void> {
  await db`insert into blocks (blocker_id, blocked_id) select 1, id from users where id % 13 = 0 limit 300`
  await db`insert into mutes (user_id, muted_id) select 1, id from users where id % 17 = 0 limit 300`
  await db`insert into mutes (user_id, tag) select 1, name from tags order by uses_count desc offset 100 limit 100`
}
