/**
 * `npm run bench -- --rows 1000000`: prints the table in docs/benchmarks.md: each figure, its target and whether it is met.
 * Figures over HTTP are ratios to a minimal Fastify route that sends the same bytes; the two are measured alternately, so
 * that a busy machine slows both. Options: `--only lists,signed-in,heavy-users,writes,imports,memory,logins,pages,pictures`
 * measures some parts, `--workers 1,2`, `--rounds 3`, `--seconds 5`. Without `--rows`, the sample content and only `logins`,
 * `pages` and `pictures`.
 */
import os from 'node:os'
import { parseArgs } from 'node:util'
import { connect } from '../server/core/database/database.ts'
import { type BenchDatabase, openBenchDatabase } from './bench-database.ts'
import { type BenchServer, type BenchServers, openBenchServers } from './bench-servers.ts'
import { peakMemory } from './cpu-time.ts'
import { roles } from './generated-site.ts'
import { measureHeavyUsers } from './heavy-users.ts'
import { measureRatios } from './http-ratios.ts'
import { createTokens } from './http-targets.ts'
import { measureImport } from './import-load.ts'
import { measureLists } from './list-timings.ts'
import { measureLogins } from './login-load.ts'
import { measurePages } from './page-figures.ts'
import { measureBacklog, servePictures } from './picture-backlog.ts'
import { atMost, type Figure, formatFigures, isMet } from './targets.ts'
import { measureWriteLoad } from './write-load.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    workers: { type: 'string', default: '1,2' },
    only: { type: 'string' },
  },
})
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]
const rows = values.rows === undefined ? null : Number(values.rows)
/** Parts that need generated data. */
const generatedParts = ['lists', 'signed-in', 'heavy-users', 'writes', 'imports', 'memory']
const parts = [...generatedParts, 'logins', 'pages', 'pictures']
const requested = values.only?.split(',') ?? parts
const unknown = requested.filter((part) => !parts.includes(part))
if (unknown.length > 0) throw new Error(`--only is some of ${parts.join(', ')}, not ${unknown.join(', ')}.`)
const isRequested = (part: string) =>
  requested.includes(part) && (rows !== null || !generatedParts.includes(part))

/** Connections of the signed-in measurements, each of another user. */
const userCount = 20
/** Users who save one video at the same time. */
const writingUserCount = 300
const maxMemory = 300
/** A user with few bookmarks. */
const importerId = 500
const maxLoginSlowdown = 3

async function main(): Promise<void> {
  const database = await openBenchDatabase(rows)
  const servers = openBenchServers()
  const figures: Figure[] = []
  try {
    if (isRequested('lists') && rows !== null) {
      figures.push(...(await measureLists(database.url, rows, console.log)))
    }
    for (const workers of values.workers.split(',').map(Number)) {
      await measureSite(database, servers, workers, figures)
    }
    if (isRequested('pictures')) figures.push(...(await measurePictures(database, servers)))
    const missed = figures.filter((figure) => isMet(figure) === false).length
    console.log(`\n${figures.length} figures, ${missed} of them miss their targets.`)
    if (missed > 0) process.exitCode = 1
  } finally {
    try {
      // Also after a failure, because the other parts took many minutes.
      console.log(`\n${await describeRun(database.url)}\n\n${formatFigures(figures)}`)
    } finally {
      await servers.stop()
      await database.stop()
    }
  }
}

/** Measures the site over HTTP with a number of workers, and adds to `figures`. */
async function measureSite(
  database: BenchDatabase,
  servers: BenchServers,
  workers: number,
  figures: Figure[],
): Promise<void> {
  const needsWeb = isRequested('pages') && workers === 1
  const site = await servers.startSite(database.url, {
    NODE_ENV: needsWeb ? 'production' : 'test',
    WORKERS: String(workers),
  })
  const suffix = workers > 1 ? `, ${workers} workers` : ''
  const name = (figure: Figure) => ({ ...figure, measurement: figure.measurement + suffix })
  if (isRequested('signed-in')) {
    const tokens = await createTokens(database.url, userCount)
    const options = { rounds, seconds, workers }
    figures.push(...(await measureRatios(servers, site, tokens, options, console.log)).map(name))
  }
  const tokenOf = async (userId: number) => (await createTokens(database.url, 1, userId))[0] ?? ''
  const heavyTokens = async () => ({
    saver: await tokenOf(roles.savesMost),
    liker: await tokenOf(roles.likesMost),
  })
  if (isRequested('heavy-users') && workers === 1) {
    figures.push(...(await measureHeavyUsers(site, await heavyTokens(), console.log)))
  }
  if (isRequested('writes')) {
    const many = await createTokens(database.url, writingUserCount, 1000 * workers)
    figures.push(...(await measureWriteLoad(site, { many, ...(await heavyTokens()) }, seconds * 2)).map(name))
  }
  if (isRequested('logins')) figures.push(...(await measureLoginFigures(site)).map(name))
  if (isRequested('imports') && workers === 1) {
    figures.push(...(await measureImport(site, await tokenOf(importerId), seconds)))
  }
  if (isRequested('memory')) figures.push(...memoryFigures(site).map(name))
  if (needsWeb) {
    const username = rows === null ? 'okello' : 'person1'
    figures.push(...(await measurePages(servers, site, username, { rounds, seconds })))
  }
}

async function measurePictures(database: BenchDatabase, servers: BenchServers): Promise<Figure[]> {
  const source = await servePictures()
  try {
    const settings = { NODE_ENV: 'test', WORKERS: '1', OUTBOUND_ALLOW: source.host }
    const site = await servers.startSite(database.url, settings)
    return await measureBacklog(database.url, site, source, seconds)
  } finally {
    source.close()
  }
}

async function measureLoginFigures({ url }: BenchServer): Promise<Figure[]> {
  const { idle, login, busy, refresh } = await measureLogins(url, seconds)
  return [
    {
      measurement: 'p99 of listings while 200 users log in, to idle',
      value: Number((busy.p99 / Math.max(idle.p99, 1)).toFixed(1)),
      unit: '×',
      details: `${Math.round(busy.p99)} and ${Math.round(idle.p99)} ms`,
      target: atMost(maxLoginSlowdown),
    },
    {
      measurement: 'logins meanwhile, p99',
      value: Math.round(login.p99),
      unit: ' ms',
      details: `median ${Math.round(login.p50)} ms, ${login['per second']} per second`,
      target: null,
    },
    {
      measurement: 'refresh tokens exchanged per second, 50 concurrent',
      value: refresh['per second'],
      unit: '',
      details: `p99 ${Math.round(refresh.p99)} ms`,
      target: null,
    },
  ]
}

/** The highest memory of the site's processes during all that was measured. */
function memoryFigures({ pid }: BenchServer): Figure[] {
  const sizes = peakMemory(pid)
  if (sizes.length === 0) return []
  return [
    {
      measurement: 'memory of a process under the load, the highest',
      value: Math.max(...sizes),
      unit: ' MB',
      details: `all: ${sizes.join(', ')} MB`,
      target: atMost(maxMemory),
    },
  ]
}

/** Returns the machine, the versions and the date of a run. */
async function describeRun(url: string): Promise<string> {
  const db = connect(url, { max: 1 })
  const [server] = await db<{ version: string; size: string }[]>`
    select current_setting('server_version') as version, pg_size_pretty(pg_database_size(current_database())) as size`
  await db.end({ timeout: 5 })
  const [cpu] = os.cpus()
  return [
    `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    `${os.cpus().length} cores (${cpu?.model ?? 'unknown'}), ${Math.round(os.totalmem() / 2 ** 30)} GB`,
    `load ${os.loadavg()[0]?.toFixed(1)}`,
    `Node ${process.versions.node}, PostgreSQL ${server?.version}`,
    `${rows === null ? 'sample content' : `${rows.toLocaleString('en')} bookmarks`}, ${server?.size}`,
    `${rounds} rounds of ${seconds} s`,
  ].join('; ')
}

await main()
