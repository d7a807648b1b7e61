/** `npm run bench -- --only pictures`: how 10,000 pictures that wait to be fetched affect visitors. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import sharp from 'sharp'
import { connect } from '../server/core/database/database.ts'
import type { BenchServer } from './bench-servers.ts'
import { cpuTime, peakMemory } from './cpu-time.ts'
import { type LatencySummary, measureListings } from './login-load.ts'
import { median } from './statistics.ts'
import { atMost, type Figure } from './targets.ts'

const pictures = 10_000
/** How many times longer the p99 of listings may be than without a backlog. */
const maxSlowdown = 2
/** In megabytes. */
const maxMemory = 300
/** How often listings are measured alternately without and with the backlog. */
const rounds = 5

/** Serves a picture of 1280 × 720 pixels with the detail of a photo at every path, and counts the requests. */
export async function servePictures() {
  const pixels = { width: 1280, height: 720, channels: 3 as const }
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 }
  const picture = await sharp({ create: { ...pixels, background: '#336699', noise } })
    .blur(2)
    .jpeg()
    .toBuffer()
  let [open, mostOpen, count] = [0, 0, 0]
  const server = createServer((_request, reply) => {
    count += 1
    open += 1
    mostOpen = Math.max(mostOpen, open)
    reply.on('close', () => {
      open -= 1
    })
    reply.writeHead(200, { 'content-type': 'image/jpeg' }).end(picture)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return { host, counts: () => ({ count, mostOpen }), close: () => server.close() }
}

/** Measures listings of a site with one worker, which may request pictures from `host`, before and while they are fetched. */
export async function measureBacklog(
  databaseUrl: string,
  site: BenchServer,
  source: Awaited<ReturnType<typeof servePictures>>,
  seconds: number,
): Promise<Figure[]> {
  const db = connect(databaseUrl, { max: 1, statementTimeout: 0 })
  try {
    const idle: LatencySummary[] = []
    for (let round = 0; round < rounds; round++) idle.push(await measureListings(site.url, seconds))
    await queuePictures(db, source.host)
    const [cpuBefore, countBefore] = [cpuTime(site.pid), source.counts().count]
    const busy: LatencySummary[] = []
    for (let round = 0; round < rounds; round++) busy.push(await measureListings(site.url, seconds))
    const { count, mostOpen } = source.counts()
    const [idleP99, busyP99] = [idle, busy].map((summaries) => median(summaries.map(({ p99 }) => p99)))
    return [
      {
        measurement: `p99 of listings while ${pictures} pictures wait to be fetched, to idle`,
        value: Number(((busyP99 ?? 0) / Math.max(idleP99 ?? 0, 1)).toFixed(1)),
        unit: '×',
        details: `${Math.round(busyP99 ?? 0)} and ${Math.round(idleP99 ?? 0)} ms, medians of ${rounds}; ${count - countBefore} pictures fetched meanwhile, ${Math.round(cpuTime(site.pid) - cpuBefore)} ms of processor time for both`,
        target: atMost(maxSlowdown),
      },
      {
        measurement: 'pictures fetched at the same time, the most',
        value: mostOpen,
        unit: '',
        details: '',
        target: atMost(8),
      },
      {
        measurement: 'memory of a process meanwhile, the highest',
        value: Math.max(...peakMemory(site.pid)),
        unit: ' MB',
        details: '',
        target: atMost(maxMemory),
      },
    ]
  } finally {
    await db`delete from jobs.job where name = 'fetch-thumbnail'`
    await db`delete from videos where canonical_url like 'https://backlog.example.org/%'`
    await db.end({ timeout: 5 })
  }
}

/** Inserts videos whose pictures are pending, and the jobs that fetch them, as an import does. */
async function queuePictures(db: ReturnType<typeof connect>, host: string): Promise<void> {
  await db`
    insert into videos (canonical_url, source_url, host, thumbnail_source_url, thumbnail_state)
    select 'https://backlog.example.org/' || n, 'https://backlog.example.org/' || n, 'backlog.example.org',
           'http://' || ${host}::text || '/' || n || '.jpg', 'pending'
      from generate_series(1, ${pictures}::int) n`
  await db`
    insert into bookmarks (user_id, video_id, collection_id, title)
    select c.user_id, v.id, c.id, 'Backlog' from videos v, (select id, user_id from collections order by id limit 1) c
     where v.canonical_url like 'https://backlog.example.org/%'`
  await db`
    insert into jobs.job (name, data, priority)
    select 'fetch-thumbnail', jsonb_build_object('video_id', id), -1 from videos
     where canonical_url like 'https://backlog.example.org/%'`
}
