/**
 * `npm run bench [-- --rows 1000000] [--rounds 3] [--seconds 5] [--accounts]`: produces the figures in the
 * documentation. Each target is compared with a minimal Fastify route that sends the same bytes. The two are measured
 * alternately, so that a busy machine slows both.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openBenchDatabase } from './bench-database.ts'
import { measureLoad } from './http-load.ts'
import { measureLogins } from './login-load.ts'
import { pageWeight } from './page-weight.ts'

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
const folder = mkdtempSync(path.join(tmpdir(), 'reelmark-bench-'))
const children: ChildProcess[] = []
const port = 4300 + (process.pid % 500)
const siteUrl = `http://127.0.0.1:${port}`

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
  try {
    startProcess('../server/main.ts', [], {
      DATABASE_URL: database.url,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      LOG_LEVEL: 'warn',
      NODE_ENV: values.api ? 'test' : 'production',
      RATE_LIMIT_SCALE: '0',
    })
    await waitUntilReady(`${siteUrl}/readyz`)
    console.table(await measureLogins(siteUrl, Number(values.seconds)))
    if (values.accounts) return
    const measured = []
    for (const [index, target] of targets(await findVideo()).entries()) {
      const reply = await fetch(siteUrl + target.path)
      if (!reply.ok) {
        console.log(`${target.name}: ${reply.status}, not measured`)
        continue
      }
      const file = path.join(folder, `reply-${index}`)
      writeFileSync(file, await reply.text())
      const barePort = port + 1 + index
      const bareUrl = `http://127.0.0.1:${barePort}/`
      startProcess(
        'baseline-server.ts',
        [String(barePort), file, reply.headers.get('content-type') ?? ''],
        {},
      )
      await waitUntilReady(bareUrl)
      measured.push({ ...target, bareUrl, ratios: [] as number[], best: 0, bare: 0, median: 0 })
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
        target.median = own.median
      }
    }
    if (!values.api) {
      for (const path of pages) {
        console.log(`JavaScript of ${path}: ${await pageWeight(siteUrl, path)} KB gzip`)
      }
    }
    console.log(`\n${values.rows ?? 'sample'} bookmarks, 50 connections, ${values.rounds} rounds`)
    console.table(
      measured.map(({ name, ratios, best, bare, median }) => ({
        target: name,
        'to bare Fastify': Number((ratios.sort((a, b) => a - b)[ratios.length >> 1] ?? 0).toFixed(3)),
        'requests/s': Math.round(best),
        'bare requests/s': Math.round(bare),
        'median ms': Number(median.toFixed(1)),
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

/** Returns the id of the newest video. Ids of videos are derived from their links (docs/decisions/0029-nothing-left-and-nothing-crosses.md). */
async function findVideo(): Promise<number> {
  const reply = await fetch(`${siteUrl}/api/videos/?page_size=1`)
  const { results } = (await reply.json()) as { results: { video_id: number }[] }
  const [video] = results
  if (video === undefined) throw new Error('The site has no video.')
  return video.video_id
}

function startProcess(file: string, args: string[], env: Record<string, string>): void {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, file), ...args], {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  children.push(child)
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
