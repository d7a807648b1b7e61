/**
 * `npm exec -- node bench/signed-in.ts [--rows 50000] [--rounds 3] [--seconds 3] [--users 20] [--writes 0]`: measures
 * signed-in users against visitors and against a minimal Fastify route that sends the same bytes, alternately, over 20
 * connections. Each connection belongs to another user. With `--writes` that many likes, saves, comments and follows per
 * second are sent during every measurement.
 */
import path from 'node:path'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { loadServerKeys } from '../server/core/auth/server-keys.ts'
import { connect } from '../server/core/database/database.ts'
import { signInAs } from '../server/testing/test-users.ts'
import { openBenchDatabase } from './bench-database.ts'
import { findNewestBookmark, openBenchServers } from './bench-servers.ts'
import { cpuTime } from './cpu-time.ts'
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
const connections = 20
const seconds = Number(values.seconds)
let postmaster = 0

interface Target {
  name: string
  path: string
  isSignedIn: boolean
}

interface Load {
  perSecond: number
  p99: number
  /** Microseconds of CPU time per request: of the server's processes, and of PostgreSQL. */
  serverTime: number
  databaseTime: number
}

function listTargets({ bookmark, video }: { bookmark: number; video: number }): Target[] {
  const paths = {
    explore: '/api/videos/',
    'by orientation': '/api/videos/?orientation=straight',
    following: '/api/videos/?sort=following',
    'a profile, page 1': '/api/videos/?user=person3',
    bookmark: `/api/bookmarks/${bookmark}/`,
    comments: `/api/videos/${video}/comments/`,
    notifications: '/api/notifications/',
  }
  const entries = Object.entries(paths)
  const visitorNames = ['explore', 'by orientation', 'a profile, page 1', 'bookmark', 'comments']
  return [
    ...entries
      .filter(([name]) => visitorNames.includes(name))
      .map(([name, path]) => ({ name: `visitor: ${name}`, path, isSignedIn: false })),
    ...entries.map(([name, path]) => ({ name: `signed in: ${name}`, path, isSignedIn: true })),
  ].filter(({ name }) => name.includes(values.only))
}

async function main(): Promise<void> {
  const database = await openBenchDatabase(Number(values.rows))
  const servers = openBenchServers()
  try {
    postmaster = await findPostmaster(database.url)
    const settings = {
      // At this level the site logs how many requests were served from its cache.
      LOG_LEVEL: Number(values.writes) > 0 ? 'info' : 'warn',
      NODE_ENV: 'test',
      WORKERS: values.workers,
      ...(values.profile && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${path.resolve(values.profile)}` }),
    }
    const site = await servers.startSite(database.url, settings, printCacheStatistics)
    const tokens = await createTokens(database.url, Math.max(Number(values.users), 1))
    const measured = []
    for (const target of listTargets(await findNewestBookmark(site.url))) {
      const reply = await fetch(site.url + target.path, { headers: headersFor(target, tokens[0]) })
      if (!reply.ok) throw new Error(`${target.name}: ${reply.status} ${await reply.text()}`)
      measured.push({
        target,
        baseline: await servers.startBaseline(reply),
        ratios: [] as number[],
        own: [] as Load[],
        bare: [] as Load[],
      })
    }
    for (const { target } of measured) await measure(site.url + target.path, target, tokens, 1, site.pid)
    const writers = await startWriters(site.url, Number(values.writes), tokens)
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const { target, baseline, ratios, own, bare } of measured) {
        const bareLoad = await measure(baseline.url, target, tokens, seconds, baseline.pid)
        const ownLoad = await measure(site.url + target.path, target, tokens, seconds, site.pid)
        ratios.push(ownLoad.perSecond / bareLoad.perSecond)
        own.push(ownLoad)
        bare.push(bareLoad)
      }
    }
    const writeCount = await writers.stop()
    console.log(
      `${values.rows} bookmarks, ${connections} connections, ${values.users} users, ${values.workers} workers, ${values.rounds} rounds, ${writeCount} writes`,
    )
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

function headersFor({ isSignedIn }: Target, token: string | undefined): Record<string, string> {
  return isSignedIn ? { authorization: `Bearer ${token}` } : {}
}

/** Requests a URL for some seconds. Each connection uses the token of another user. */
async function measure(
  url: string,
  target: Target,
  tokens: string[],
  duration: number,
  pid: number,
): Promise<Load> {
  let count = 0
  const [serverBefore, databaseBefore] = [cpuTime(pid), cpuTime(postmaster)]
  const result = await autocannon({
    url,
    connections,
    duration,
    setupClient: (client) => {
      client.setHeaders(headersFor(target, tokens[count % tokens.length]))
      count += 1
    },
  })
  if (result.non2xx + result.errors > 0)
    console.log(`${url}: ${result.non2xx} refused, ${result.errors} failed`)
  const requests = Math.max(result.requests.total, 1)
  return {
    perSecond: result.requests.average,
    p99: result.latency.p99,
    serverTime: ((cpuTime(pid) - serverBefore) * 1000) / requests,
    databaseTime: ((cpuTime(postmaster) - databaseBefore) * 1000) / requests,
  }
}

/** Creates a session for each of the first users and returns their access tokens. */
async function createTokens(url: string, count: number): Promise<string[]> {
  const db = connect(url, { max: 1 })
  const serverKeys = await loadServerKeys(db)
  // Not the owners of the targets, who see their own pages.
  const users = await db<{ username: string }[]>`
    select username from users where username ~ '^person\\d+$' and id > 10 order by id limit ${count}`
  const tokens: string[] = []
  for (const { username } of users) tokens.push((await signInAs({ db, serverKeys }, username)).access)
  await db.end({ timeout: 5 })
  return tokens
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
