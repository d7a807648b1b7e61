/**
 * `npm exec -- node bench/signed-in.ts [--rows 50000] [--rounds 3] [--seconds 3] [--users 20] [--writes 0]`: measures
 * signed-in users against visitors and against a minimal Fastify route that sends the same bytes, alternately, over 20
 * connections. Each connection belongs to another user. With `--writes` that many likes, saves, comments and follows per
 * second are sent during every measurement.
 */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { connect } from '../server/core/database/database.ts'
import { openBenchDatabase } from './bench-database.ts'
import { openBenchServers } from './bench-servers.ts'
import { peakMemory } from './cpu-time.ts'
import { connections, createTokens, listTargets, measureRounds, prepareTargets } from './http-targets.ts'
import { median } from './statistics.ts'
import { startWriters } from './writers.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    users: { type: 'string', default: '20' },
    writes: { type: 'string', default: '0' },
    workers: { type: 'string', default: '1' },
    /** Measures only targets whose name contains this text. */
    only: { type: 'string', default: '' },
    /** A folder for CPU profiles of the site's processes. */
    profile: { type: 'string' },
  },
})

async function main(): Promise<void> {
  const database = await openBenchDatabase(Number(values.rows))
  const servers = openBenchServers()
  try {
    const settings = {
      // At this level the site logs how many requests were served from its cache.
      LOG_LEVEL: Number(values.writes) > 0 ? 'info' : 'warn',
      NODE_ENV: 'test',
      WORKERS: values.workers,
      ...(values.profile && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${path.resolve(values.profile)}` }),
    }
    const site = await servers.startSite(database.url, settings, printCacheStatistics)
    const clients = {
      tokens: await createTokens(database.url, Math.max(Number(values.users), 1)),
      postmaster: await findPostmaster(database.url),
    }
    const targets = (await listTargets(site.url)).filter(({ name }) => name.includes(values.only))
    const measured = await prepareTargets(servers, site, targets, clients)
    const writers = await startWriters(site.url, Number(values.writes), clients.tokens)
    await measureRounds(measured, site, clients, {
      rounds: Number(values.rounds),
      seconds: Number(values.seconds),
    })
    const writeCount = await writers.stop()
    console.log(
      `${values.rows} bookmarks, ${connections} connections, ${values.users} users, ${values.workers} workers, ${values.rounds} rounds, ${writeCount} writes`,
    )
    console.log(`each process used up to ${peakMemory(site.pid).join(', ')} MB`)
    console.table(
      measured.map(({ target, ratios, own, bare }) => ({
        target: target.name,
        'to bare Fastify': Number(median(ratios).toFixed(3)),
        'requests/s': Math.round(median(own.map(({ perSecond }) => perSecond))),
        'p99 ms': median(own.map(({ p99 }) => p99)),
        'server µs': Math.round(median(own.map(({ serverTime }) => serverTime))),
        'database µs': Math.round(median(own.map(({ databaseTime }) => databaseTime))),
        'bare µs': Math.round(median(bare.map(({ serverTime }) => serverTime))),
      })),
    )
  } finally {
    await servers.stop()
    await database.stop()
  }
}

/** Returns the process id of PostgreSQL's main process, whose file only a superuser may read. */
async function findPostmaster(url: string): Promise<number> {
  const db = connect(url, { max: 1 })
  const [row] = await db<
    { pid: string }[]
  >`select split_part(pg_read_file('postmaster.pid'), E'\n', 1) as pid`
  await db.end({ timeout: 5 })
  return Number(row?.pid)
}

/** Prints the hit rate of the cache if the line of the site's log contains it. */
function printCacheStatistics(line: string): void {
  if (!line.includes('"msg":"visitor cache"')) return
  const { hits, misses, entries } = JSON.parse(line) as Record<'hits' | 'misses' | 'entries', number>
  const share = ((100 * hits) / Math.max(hits + misses, 1)).toFixed(1)
  console.log(`visitor cache: ${hits} hits, ${misses} misses (${share} % hits), ${entries} entries`)
}

await main()
