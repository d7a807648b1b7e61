/**
 * `npm run bench [-- --rows 1000000] [--rounds 3] [--seconds 5] [--accounts]`: produces the figures in the
 * documentation. Each target is compared with a minimal Fastify route that sends the same bytes. The two are measured
 * alternately, so that a busy machine slows both.
 */
import { parseArgs } from 'node:util'
import { openBenchDatabase } from './bench-database.ts'
import { findNewestBookmark, openBenchServers } from './bench-servers.ts'
import { measureLoad } from './http-load.ts'
import { measureLogins } from './login-load.ts'
import { pageWeight } from './page-weight.ts'
import { median } from './statistics.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    /** Leaves out the pages, which require the built web. */
    api: { type: 'boolean', default: false },
    /** Measures only the cost of logins. */
    accounts: { type: 'boolean', default: false },
  },
})

/** A user of the sample content, or of the data that bench/generate-data.ts generates. */
const username = values.rows === undefined ? 'okello' : 'person1'
const pages = ['/', '/explore', '/bookmarks/1', `/users/${username}`, '/collections/1', '/channels/1']
const targets = (videoId: number) => [
  { name: 'GET /api/videos/', path: '/api/videos/' },
  { name: 'GET /api/videos/?orientation=straight', path: '/api/videos/?orientation=straight' },
  { name: 'GET /api/videos/?sort=random', path: '/api/videos/?sort=random' },
  { name: 'GET /api/bookmarks/1/', path: '/api/bookmarks/1/' },
  { name: 'GET /api/videos/:id/comments/', path: `/api/videos/${videoId}/comments/` },
  { name: 'GET /api/profile/:username/', path: `/api/profile/${username}/` },
  ...(values.api ? [] : pages.map((path) => ({ name: `GET ${path} (page)`, path }))),
]

async function main(): Promise<void> {
  const database = await openBenchDatabase(values.rows === undefined ? null : Number(values.rows))
  const servers = openBenchServers()
  try {
    const { url: siteUrl } = await servers.startSite(database.url, {
      NODE_ENV: values.api ? 'test' : 'production',
    })
    console.table(await measureLogins(siteUrl, Number(values.seconds)))
    if (values.accounts) return
    const measured = []
    const { video } = await findNewestBookmark(siteUrl)
    for (const target of targets(video)) {
      const reply = await fetch(siteUrl + target.path)
      if (!reply.ok) {
        console.log(`${target.name}: ${reply.status}, not measured`)
        continue
      }
      const { url: bareUrl } = await servers.startBaseline(reply)
      measured.push({ ...target, bareUrl, ratios: [] as number[], best: 0, bare: 0, latency: 0 })
    }
    // One unmeasured run warms up the compiler and fills the cache.
    for (const target of measured) await measureLoad(siteUrl + target.path, 2)
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const target of measured) {
        const bare = await measureLoad(target.bareUrl, Number(values.seconds))
        const own = await measureLoad(siteUrl + target.path, Number(values.seconds))
        if (own.failed > 0) console.log(`${target.name}: ${own.failed} requests failed`)
        target.ratios.push(own.perSecond / bare.perSecond)
        target.best = Math.max(target.best, own.perSecond)
        target.bare = Math.max(target.bare, bare.perSecond)
        target.latency = own.median
      }
    }
    if (!values.api) {
      for (const path of pages) {
        console.log(`JavaScript of ${path}: ${await pageWeight(siteUrl, path)} KB gzip`)
      }
    }
    console.log(`\n${values.rows ?? 'sample'} bookmarks, 50 connections, ${values.rounds} rounds`)
    console.table(
      measured.map(({ name, ratios, best, bare, latency }) => ({
        target: name,
        'to bare Fastify': Number(median(ratios).toFixed(3)),
        'requests/s': Math.round(best),
        'bare requests/s': Math.round(bare),
        'median ms': Number(latency.toFixed(1)),
      })),
    )
  } finally {
    await servers.stop()
    await database.stop()
  }
}

await main()
