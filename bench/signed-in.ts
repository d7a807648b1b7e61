/**
 * `npm exec -- node bench/signed-in.ts [--rows 50000] [--rounds 3] [--seconds 3] [--users 20] [--writes 0]`: measures
 * signed-in users against visitors and against a minimal Fastify route that sends the same bytes, alternately, over 20
 * connections. Each connection belongs to another user. With `--writes` that many likes, saves, comments and follows per
 * second are sent during every measurement.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { loadServerKeys } from '../server/core/auth/server-keys.ts'
import { newRefreshSecret, signAccessToken, tokenOptions } from '../server/core/auth/tokens.ts'
import { connect } from '../server/core/database/database.ts'
import { openBenchDatabase } from './bench-database.ts'
import { cpuTime } from './cpu-time.ts'
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
const folder = mkdtempSync(path.join(tmpdir(), 'reelmark-bench-'))
const children: ChildProcess[] = []
let postmaster = 0
const port = 4300 + (process.pid % 500)
const siteUrl = `http://127.0.0.1:${port}`

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
  try {
    postmaster = await findPostmaster(database.url)
    const site = startProcess('../server/main.ts', [], {
      DATABASE_URL: database.url,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      // At this level the site logs how many requests were served from its cache.
      LOG_LEVEL: Number(values.writes) > 0 ? 'info' : 'warn',
      NODE_ENV: 'test',
      RATE_LIMIT_SCALE: '0',
      WORKERS: values.workers,
      ...(values.profile && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${path.resolve(values.profile)}` }),
    })
    await waitUntilReady(`${siteUrl}/readyz`)
    const sitePid = site.pid ?? 0
    printCacheStatistics(site)
    const tokens = await createTokens(database.url, Math.max(Number(values.users), 1))
    const measured = []
    for (const [index, target] of listTargets(await findBookmark()).entries()) {
      const reply = await fetch(siteUrl + target.path, { headers: headersFor(target, tokens[0]) })
      if (!reply.ok) throw new Error(`${target.name}: ${reply.status} ${await reply.text()}`)
      const file = path.join(folder, `reply-${index}`)
      writeFileSync(file, await reply.text())
      const bareUrl = `http://127.0.0.1:${port + 1 + index}/`
      const type = reply.headers.get('content-type') ?? ''
      const bare = startProcess('baseline-server.ts', [String(port + 1 + index), file, type], {})
      await waitUntilReady(bareUrl)
      measured.push({
        target,
        bareUrl,
        barePid: bare.pid ?? 0,
        ratios: [] as number[],
        own: [] as Load[],
        bare: [] as Load[],
      })
    }
    for (const { target } of measured) await measure(siteUrl + target.path, target, tokens, 1, sitePid)
    const writers = await startWriters(siteUrl, Number(values.writes), tokens)
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const entry of measured) {
        const bare = await measure(entry.bareUrl, entry.target, tokens, seconds, entry.barePid)
        const own = await measure(siteUrl + entry.target.path, entry.target, tokens, seconds, sitePid)
        entry.ratios.push(own.perSecond / bare.perSecond)
        entry.own.push(own)
        entry.bare.push(bare)
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
    for (const child of children) {
      if (child.exitCode !== null) continue
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    }
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0
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
  const { 'access-token': key } = await loadServerKeys(db)
  // Not the owners of the targets, who see their own pages.
  const users = await db<
    { id: number }[]
  >`select id from users where username ~ '^person\\d+$' and id > 10 order by id limit ${count}`
  const tokens: string[] = []
  for (const { id } of users) {
    const [session] = await db<{ id: number }[]>`
      insert into sessions (user_id, refresh_hash, expires_at)
      values (${id}, sha256(${newRefreshSecret()}), now() + interval '1 day') returning id`
    tokens.push(await signAccessToken({ user_id: id, session_id: session?.id ?? 0 }, tokenOptions(key)))
  }
  await db.end({ timeout: 5 })
  return tokens
}

async function findBookmark(): Promise<{ bookmark: number; video: number }> {
  const reply = await fetch(`${siteUrl}/api/videos/?page_size=1`)
  const { results } = (await reply.json()) as { results: { id: number; video_id: number }[] }
  const [item] = results
  if (item === undefined) throw new Error('The site has no video.')
  return { bookmark: item.id, video: item.video_id }
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

function startProcess(file: string, args: string[], env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, file), ...args], {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout?.resume()
  children.push(child)
  return child
}

function printCacheStatistics({ stdout }: ChildProcess): void {
  if (stdout === null) return
  createInterface({ input: stdout }).on('line', (line) => {
    if (!line.includes('"msg":"visitor cache"')) return
    const { hits, misses, entries } = JSON.parse(line) as Record<'hits' | 'misses' | 'entries', number>
    const share = ((100 * hits) / Math.max(hits + misses, 1)).toFixed(1)
    console.log(`visitor cache: ${hits} hits, ${misses} misses (${share} % hits), ${entries} entries`)
  })
}

async function waitUntilReady(url: string): Promise<void> {
  for (let attempts = 0; attempts < 300; attempts++) {
    const ok = await fetch(url).then(
      (reply) => reply.ok,
      () => false,
    )
    if (ok) return
    await sleep(100)
  }
  throw new Error(`${url} does not respond`)
}

await main()
