/** Requests of visitors and signed-in users, measured against a bare Fastify route that sends the same bytes. */
import autocannon from 'autocannon'
import { loadServerKeys } from '../server/core/auth/server-keys.ts'
import { connect } from '../server/core/database/database.ts'
import { signInAs } from '../server/testing/test-users.ts'
import { type BenchServer, type BenchServers, findNewestBookmark } from './bench-servers.ts'
import { cpuTime } from './cpu-time.ts'
import { roles } from './generated-site.ts'
import { word } from './list-queries.ts'

export const connections = 20

export interface Target {
  name: string
  path: string
  isSignedIn: boolean
}

export interface Load {
  perSecond: number
  p99: number
  /** Microseconds of CPU time per request: of the server's processes, and of PostgreSQL. */
  serverTime: number
  databaseTime: number
}

/** A target with what was measured: the loads of the site (`own`) and of the bare route, and their ratios. */
interface MeasuredTarget<T extends Target> {
  target: T
  baseline: BenchServer
  ratios: number[]
  own: Load[]
  bare: Load[]
}

/** Who sends the requests, and what is measured meanwhile. */
interface Clients {
  /** Access tokens of different users, which the connections of signed-in targets use in turn. */
  tokens: string[]
  /** PostgreSQL's main process; null if its CPU time is not measured. */
  postmaster: number | null
}

/** Returns the targets of `npm run bench` and of bench/signed-in.ts. */
export async function listTargets(siteUrl: string): Promise<Target[]> {
  const { bookmark, video } = await findNewestBookmark(siteUrl)
  const paths = {
    explore: '/api/videos/',
    'by orientation': '/api/videos/?orientation=straight',
    following: '/api/videos/?sort=following',
    'sort=random': '/api/videos/?sort=random',
    'a profile, page 1': '/api/videos/?user=person3',
    // The user with the most bookmarks.
    'a long profile, page 1': '/api/videos/?user=person1',
    'likes of the user who likes most': `/api/videos/?liked_by=person${roles.likesMost}`,
    'search, a common word': `/api/videos/?q=${word(1)}`,
    'search, two words': `/api/videos/?q=${word(4)}+${word(21)}`,
    'profile header': '/api/profile/person3/',
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
  ]
}

/** Starts a bare route for each target, and requests each target for a second, which fills the cache and compiles the code. */
export async function prepareTargets<T extends Target>(
  servers: BenchServers,
  site: BenchServer,
  targets: readonly T[],
  clients: Clients,
): Promise<MeasuredTarget<T>[]> {
  const prepared: MeasuredTarget<T>[] = []
  for (const target of targets) {
    const reply = await fetch(site.url + target.path, { headers: headersFor(target, clients.tokens[0]) })
    if (!reply.ok) throw new Error(`${target.name}: ${reply.status} ${await reply.text()}`)
    prepared.push({ target, baseline: await servers.startBaseline(reply), ratios: [], own: [], bare: [] })
  }
  for (const target of targets) await measure(site, target.path, target, clients, 1)
  return prepared
}

/** Measures each target and its bare route alternately, and reports each ratio. */
export async function measureRounds<T extends Target>(
  prepared: readonly MeasuredTarget<T>[],
  site: BenchServer,
  clients: Clients,
  { rounds, seconds }: { rounds: number; seconds: number },
  report: (target: T, ratio: number) => void = () => {},
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const { target, baseline, ratios, own, bare } of prepared) {
      const bareLoad = await measure(baseline, '', target, clients, seconds)
      const ownLoad = await measure(site, target.path, target, clients, seconds)
      const ratio = ownLoad.perSecond / bareLoad.perSecond
      ratios.push(ratio)
      own.push(ownLoad)
      bare.push(bareLoad)
      report(target, ratio)
    }
  }
}

function headersFor({ isSignedIn }: Target, token: string | undefined): Record<string, string> {
  return isSignedIn ? { authorization: `Bearer ${token}` } : {}
}

/** Requests a path of a server for some seconds. Each connection uses the token of another user. */
async function measure(
  server: BenchServer,
  path: string,
  target: Target,
  { tokens, postmaster }: Clients,
  duration: number,
): Promise<Load> {
  const url = server.url + path
  let count = 0
  const readTimes = () => ({
    server: cpuTime(server.pid),
    database: postmaster === null ? 0 : cpuTime(postmaster),
  })
  const before = readTimes()
  const result = await autocannon({
    url,
    connections,
    duration,
    setupClient: (client) => {
      client.setHeaders(headersFor(target, tokens[count % tokens.length]))
      count += 1
    },
  })
  const after = readTimes()
  if (result.non2xx + result.errors > 0)
    console.log(`${url}: ${result.non2xx} refused, ${result.errors} failed`)
  const requests = Math.max(result.requests.total, 1)
  return {
    perSecond: result.requests.average,
    p99: result.latency.p99,
    serverTime: ((after.server - before.server) * 1000) / requests,
    databaseTime: ((after.database - before.database) * 1000) / requests,
  }
}

/** Creates a session for each of the first users and returns their access tokens. */
export async function createTokens(url: string, count: number, firstId = 11): Promise<string[]> {
  const db = connect(url, { max: 1 })
  const serverKeys = await loadServerKeys(db)
  // By default not the owners of the targets, who see their own pages.
  const users = await db<{ username: string }[]>`
    select username from users where username ~ '^person\\d+$' and id >= ${firstId} order by id limit ${count}`
  const tokens: string[] = []
  for (const { username } of users) tokens.push((await signInAs({ db, serverKeys }, username)).access)
  await db.end({ timeout: 5 })
  return tokens
}
