/** Requests per second over HTTP as ratios to a bare Fastify route that sends the same bytes, in the same run. */
import autocannon from 'autocannon'
import type { BenchServer, BenchServers } from './bench-servers.ts'
import {
  connections,
  type Load,
  listTargets,
  measureRounds,
  prepareTargets,
  type Target,
} from './http-targets.ts'
import { median } from './statistics.ts'
import { atLeast, type Figure, significant } from './targets.ts'

const lowest = { visitor: 0.8, signedIn: 0.25, search: 0.1 }

interface RatioTarget extends Target {
  /** The ratio that it should reach; null without a target. */
  ratio: number | null
}

/** Measures lists and pages of visitors and signed-in users, each connection of `tokens` another user. */
export async function measureRatios(
  servers: BenchServers,
  site: BenchServer,
  tokens: string[],
  { rounds, seconds, workers }: { rounds: number; seconds: number; workers: number },
  report: (line: string) => void,
): Promise<Figure[]> {
  const clients = { tokens, postmaster: null }
  const measured = await prepareTargets(servers, site, await ratioTargets(site.url), clients)
  await measureRounds(measured, site, clients, { rounds, seconds }, ({ name }, ratio) =>
    report(`${name}: ${significant(ratio)}`),
  )
  return [
    ...measured.map(({ target, ratios, own, bare }) => ({
      measurement: target.name,
      value: significant(median(ratios)),
      unit: '',
      details: [
        `${Math.round(median(own.map(({ perSecond }) => perSecond)))} requests/s`,
        `p99 ${median(own.map(({ p99 }) => p99))} ms`,
        // Without the database's. It varies less than requests per second on a machine that other work slows.
        `by processor time ${significant(median(bare.map(timeOf)) / median(own.map(timeOf)))}`,
      ].join(', '),
      // The targets are for one process.
      target: target.ratio === null || workers > 1 ? null : atLeast(target.ratio),
    })),
    await measureUncached(site, measured[0]?.baseline, seconds),
  ]
}

/** Returns the targets with the lowest ratio that each may have; null if its ratio has no limit. */
async function ratioTargets(url: string): Promise<RatioTarget[]> {
  return (await listTargets(url)).map((target) => ({ ...target, ratio: lowestRatio(target) }))
}

function lowestRatio(target: Target): number | null {
  if (!target.isSignedIn) return isList(target) ? lowest.visitor : null
  return target.path.includes('q=') ? lowest.search : lowest.signedIn
}

function isList({ path }: Target): boolean {
  return path.startsWith('/api/videos/') && !path.includes('comments')
}

const timeOf = ({ serverTime }: Load) => serverTime

/** Explore as a visitor, each request a page that no cache has. */
async function measureUncached(
  site: BenchServer,
  baseline: BenchServer | undefined,
  seconds: number,
): Promise<Figure> {
  const first = (await (await fetch(`${site.url}/api/videos/`)).json()) as { count: number }
  const pages = Math.floor(first.count / 25)
  let page = 1
  const own = await autocannon({
    url: site.url,
    connections,
    duration: seconds,
    requests: [
      {
        setupRequest: (request) => {
          // A prime step, so that the pages are spread over the list.
          page = (page + 7919) % pages
          return { ...request, path: `/api/videos/?page=${page + 1}` }
        },
      },
    ],
  })
  const bare = await autocannon({ url: baseline?.url ?? '', connections, duration: seconds })
  return {
    measurement: 'visitor: explore, any page by number, uncached',
    value: significant(own.requests.average / bare.requests.average),
    unit: '',
    details: `${Math.round(own.requests.average)} requests/s, p99 ${own.latency.p99} ms, ${own.non2xx} refused`,
    target: null,
  }
}
