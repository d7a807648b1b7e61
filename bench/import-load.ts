/** `npm run bench -- --only imports`: how an import of 20,000 links and what completes them afterwards affect visitors. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchServer } from './bench-servers.ts'
import { peakMemory } from './cpu-time.ts'
import { measureListings } from './login-load.ts'
import { median } from './statistics.ts'
import { atMost, type Figure } from './targets.ts'

const rows = 20_000
/** How many times longer the p99 of listings may be than without an import. */
const maxSlowdown = 2
/** In megabytes. */
const maxMemory = 300

/** Imports a file of bookmarks for the user of a token while listings are requested. */
export async function measureImport(site: BenchServer, token: string, seconds: number): Promise<Figure[]> {
  // The first round fills caches, so that the import would seem faster than an idle site.
  await measureListings(site.url, seconds)
  const idle = await p99OfRounds(site.url, seconds, 3)
  const id = await upload(site.url, token)
  await waitForState(site.url, token, id, 'review')
  await send(site.url, token, 'POST', `/api/transfer/imports/${id}/start/`, { plain_links: true })
  const started = performance.now()
  let isDone = false
  const done = waitForState(site.url, token, id, 'done').then(() => {
    isDone = true
    return (performance.now() - started) / 1000
  })
  const during: number[] = []
  while (!isDone) during.push(...(await p99OfRounds(site.url, seconds, 1)))
  const duration = await done
  const after = await p99OfRounds(site.url, seconds, 3)
  const slowdown = (busy: number[]) => Number((median(busy) / Math.max(median(idle), 1)).toFixed(1))
  const details = (busy: number[]) => `${texts(busy)} ms; idle ${texts(idle)} ms`
  return [
    {
      measurement: `p99 of listings during an import of ${rows} links, the median of ${during.length} rounds, to idle`,
      value: slowdown(during),
      unit: '×',
      details: details(during),
      target: atMost(maxSlowdown),
    },
    {
      measurement: 'p99 of listings while titles and pictures are fetched, to idle',
      value: slowdown(after),
      unit: '×',
      details: details(after),
      target: atMost(maxSlowdown),
    },
    {
      measurement: `import of ${rows} links`,
      value: Math.round(duration),
      unit: ' s',
      details: '',
      target: null,
    },
    {
      measurement: 'memory of a process during the import, the highest',
      value: Math.max(...peakMemory(site.pid)),
      unit: ' MB',
      details: '',
      target: atMost(maxMemory),
    },
  ]
}

/** Returns the p99 of listings in milliseconds for each round. */
async function p99OfRounds(url: string, seconds: number, rounds: number): Promise<number[]> {
  const found: number[] = []
  while (found.length < rounds) found.push((await measureListings(url, seconds)).p99)
  return found
}

const texts = (times: number[]) => times.map((time) => Math.round(time)).join(', ')

async function upload(url: string, token: string): Promise<number> {
  const links = Array.from(
    { length: rows },
    (_, n) =>
      `<DT><A HREF="https://host${n % 500}.example.org/watch/${process.pid}-${n}" TAGS="tag${n % 50}">Video ${n}</A>`,
  )
  const file = `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>\n<DL><p>\n${links.join('\n')}\n</DL><p>\n`
  const { id } = await send(url, token, 'POST', '/api/transfer/imports/', file)
  return id
}

async function waitForState(url: string, token: string, id: number, state: string): Promise<void> {
  for (;;) {
    const found = await send(url, token, 'GET', `/api/transfer/imports/${id}/`)
    if (found.state === state) return
    if (found.state === 'failed') throw new Error('The import failed.')
    await sleep(500)
  }
}

async function send(
  url: string,
  token: string,
  method: string,
  path: string,
  body?: string | object,
): Promise<{ id: number; state: string }> {
  const type = typeof body === 'string' ? 'application/octet-stream' : 'application/json'
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': type }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as { id: number; state: string }
}
