/** A real server never stops answering for 50 ms, whatever texts, links, pages and files it receives. */
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { listHostileTexts } from '@reelmark/contract/protocol/hostile-texts.fixture.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from './core/database/database.ts'
import { emptyFile, sampleBookmark } from './features/transfer/full-account.fixture.ts'
import { openCorpus } from './testing/corpora.ts'
import { type RealServer, startRealServer } from './testing/real-server.ts'
import { slowTimeouts } from './testing/test-database.ts'

/** Milliseconds for some thousand requests on a busy machine. */
const manyRequestsTimeoutMs = 900_000

let dataDir: string
let server: RealServer
let pages: Server
const served = new Map<string, Buffer>()
let token: string | undefined
let channel: number

beforeAll(async () => {
  pages = createServer((request, reply) => {
    const page = served.get(request.url ?? '')
    reply.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page)
  }).listen(0, '127.0.0.1')
  await once(pages, 'listening')
  const { port } = pages.address() as AddressInfo
  dataDir = await mkdtemp(path.join(tmpdir(), 'reelmark-stalls-'))
  const preload = fileURLToPath(new URL('./testing/measure-stalls.fixture.ts', import.meta.url))
  server = await startRealServer(dataDir, {
    NODE_OPTIONS: `--import=${preload}`,
    OUTBOUND_ALLOW: `127.0.0.1:${port}`,
    SAMPLE_CONTENT: 'off',
  })
  await createModerator()
  await warmUp()
}, manyRequestsTimeoutMs)
afterAll(async () => {
  await server?.stop()
  pages?.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function createModerator(): Promise<void> {
  const account = { username: 'mallory', email: 'mallory@example.org', password: 'a long walk by the river' }
  await post('auth/register/', { ...account, password2: account.password })
  const db = connect(server.databaseUrl(), { ...slowTimeouts, max: 1 })
  await db`update users set is_moderator = true, email_confirmed_at = now()`
  await db`
    insert into content_rules (kind, pattern, effect) values
      ('host', 'spam.example', 'hold'), ('word', 'cheap pills', 'hold'), ('word', '赌场', 'hold'),
      ('tag', 'spam', 'hold')`
  const [row] = await db<[{ id: number }]>`select id from channels`
  channel = row.id
  await db.end({ timeout: 5 })
  const signedIn = (await (
    await post('token/', { username: account.username, password: account.password })
  ).json()) as { access?: string }
  if (signedIn.access === undefined) throw new Error(`no login: ${JSON.stringify(signedIn)}`)
  token = signedIn.access
}

/** Sends a request and returns the response. The server may refuse it, but must answer without an internal error. */
async function send(method: string, url: string, body?: string | FormData): Promise<Response> {
  const reply = await fetch(`${server.url}/api/${url}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  })
  expect(reply.status, `${method} ${url}`).toBeLessThan(500)
  return reply
}
const post = (url: string, body: object) => send('POST', url, JSON.stringify(body))

let films = 0
/** The video saved last, for comments. */
let commentedVideo = 0
/** How many bookmarks and comments with these texts were accepted. */
let accepted = 0
/** Sends a text in each place where users write texts. */
async function sendText(text: string): Promise<void> {
  films += 1
  const video = { source_url: `https://films.example.org/${films}`, title: text.slice(0, 300) || 'x' }
  const saved = await post('bookmarks/', {
    video,
    bookmark: { channel_id: channel, description: text.slice(0, 5000), tags: [text.slice(0, 50) || 'x'] },
  })
  if (saved.status === 201) commentedVideo = ((await saved.json()) as { video: { id: number } }).video.id
  const commented = await post(`videos/${commentedVideo}/comments/`, { content: text.slice(0, 500) })
  for (const { status } of [saved, commented]) if (status === 201) accepted += 1
  await send('PATCH', 'profile/mallory/', JSON.stringify({ bio: text.slice(0, 500) }))
  await send('GET', `videos/?q=${encodeURIComponent(text.slice(0, 200).toWellFormed())}`)
  await send('GET', `tags/?q=${encodeURIComponent(text.slice(0, 50).toWellFormed())}`)
}

/** Sends a text in each place where users enter links. */
async function sendLink(link: string): Promise<void> {
  await post('bookmarks/extract-metadata/', { url: link })
  await post('bookmarks/', {
    video: { source_url: link, title: 'A film', thumbnail_url: link, embed_url: link },
    bookmark: { channel_id: channel },
  })
}

let importedUsers = 0
/** Imports bookmarks with these texts and waits until the import is finished. */
async function importTexts(texts: readonly string[]): Promise<void> {
  importedUsers += 1
  const bookmarks = texts.map((text, n) => ({
    ...sampleBookmark(`https://imported.example.org/${importedUsers}/${n}`),
    description: text,
  }))
  const file = JSON.stringify({ ...emptyFile, bookmarks })
  const reply = await send('POST', 'transfer/imports/', file)
  if (reply.status !== 201) throw new Error(`the import was refused: ${await reply.text()}`)
  const { id } = (await reply.json()) as { id: number }
  for (let state = ''; state !== 'done'; await sleep(200)) {
    const { state: now } = (await (await send('GET', `transfer/imports/${id}/`)).json()) as { state: string }
    if (now === 'failed') throw new Error('the import failed')
    state = now
  }
}

/** Compiles what the server compiles on first use: schemas, statements and patterns. */
async function warmUp(): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    await sendText('Grüße 字 https://films.example.org/x 𝗰 ﬁ "a phrase" -word tag:x'.repeat(1 + round * 10))
    await sendLink(`https://films.example.org/ä${round}`)
    served.set(
      '/warm',
      Buffer.from('<title>A film</title><script type="application/ld+json">{"a":1,}</script>'),
    )
    await extract('/warm')
    await importTexts(['Grüße 字 https://films.example.org/x'.repeat(50)])
  }
}

const extract = (page: string) =>
  post('bookmarks/extract-metadata/', {
    url: `http://127.0.0.1:${(pages.address() as AddressInfo).port}${page}`,
  })

/** Does work for four rows at a time. */
async function forEachRow<T>(rows: readonly T[], work: (row: T) => Promise<unknown>): Promise<void> {
  const next = rows.values()
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (const row of next) await work(row)
    }),
  )
}

const listStalls = () => [...server.output().matchAll(/\{"stallMs":(\d+)\}/g)].map(([, ms]) => Number(ms))

/** Returns the stalls, in milliseconds, that the server reports while it does work. */
async function stallsDuring(work: () => Promise<void>): Promise<number[]> {
  const before = listStalls().length
  await work()
  await sleep(200)
  return listStalls().slice(before)
}

const lines = (corpus: ReturnType<typeof openCorpus>, file: string): string[] =>
  corpus.exists ? corpus.bytes(file).toString().split('\n') : []

test('the measure notices that the server stalls while it starts', () => {
  expect(listStalls().length).toBeGreaterThan(0)
})

test(
  'texts on which careless code takes quadratic time do not stall the server',
  async () => {
    const texts = listHostileTexts().filter((_, n) => n % 6 === 0)
    accepted = 0
    expect(await stallsDuring(() => forEachRow(texts, ({ text }) => sendText(text)))).toEqual([])
    expect(accepted).toBeGreaterThan(texts.length)
  },
  manyRequestsTimeoutMs,
)

test(
  'links on which careless code takes quadratic time do not stall the server',
  async () => {
    const links = listHostileTexts()
      .filter((_, n) => n % 20 === 0)
      .flatMap(({ text }) => [`https://example.org/${text.slice(0, 2000)}`, `https://${text}.example.org/`])
    expect(await stallsDuring(() => forEachRow(links, sendLink))).toEqual([])
  },
  manyRequestsTimeoutMs,
)

test(
  'an import of bookmarks with such texts does not stall the server',
  async () => {
    const texts = listHostileTexts().map(({ text }) => text)
    // The others would be refused: control characters, and characters that normalisation makes longer.
    const valid = texts.filter((text) => !/\p{Cc}/u.test(text) && [...text.normalize('NFC')].length <= 5000)
    expect(valid.length).toBeGreaterThan(1000)
    const batches = Array.from({ length: 5 }, (_, n) => valid.filter((_, index) => index % 40 === n))
    const stalls = await stallsDuring(async () => {
      for (const batch of batches) await importTexts(batch)
    })
    expect(stalls).toEqual([])
  },
  manyRequestsTimeoutMs,
)

test('previews of content rules over such texts do not stall the server', async () => {
  const patterns = [
    { kind: 'word', pattern: 'cheap pills' },
    { kind: 'word', pattern: '赌场' },
    { kind: 'host', pattern: 'spam.example' },
  ]
  expect(
    await stallsDuring(() => forEachRow(patterns, (rule) => post('moderation/rules/preview/', rule))),
  ).toEqual([])
})

const mb = 1024 * 1024
test.each([
  ['nested elements', '<div>'.repeat(mb)],
  ['unclosed tags', '<a'.repeat(2 * mb)],
  ['attributes', `<p ${'a=1 '.repeat(mb)}>`],
  ['descriptions', `<meta name="description" content="${'&lt;'.repeat(5000)}">`.repeat(200)],
  ['titles', `<meta property="og:title" content="${'&amp;'.repeat(4000)}">`.repeat(200)],
  ['keywords', `<meta name="keywords" content="${'a,'.repeat(10_000)}">`.repeat(200)],
  ['broken JSON-LD', `<script type="application/ld+json">{"@type":"VideoObject","name":"${'\\a'.repeat(mb)}`],
  ['nested JSON-LD', `<script type="application/ld+json">${'['.repeat(mb)}`],
  [
    'JSON-LD of keywords',
    `<script type="application/ld+json">{"@type":"VideoObject","keywords":"${'a,'.repeat(200_000)}"}</script>`,
  ],
  [
    'microdata',
    '<div itemscope itemtype="https://schema.org/VideoObject"><b itemprop="name">'.repeat(40_000),
  ],
])('a page of %s does not stall the server', async (name, html) => {
  served.set('/page', Buffer.from(html))
  expect(await stallsDuring(async () => void (await extract('/page'))), name).toEqual([])
})

const security = openCorpus('security')
test.skipIf(!security.exists)(
  'the corpora of hostile texts do not stall the server',
  async () => {
    const texts = [
      ...security.rows<string>('naughty/blns.jsonl'),
      ...security.rows<string>('naughty/own.jsonl'),
      ...security.rows<string>('xss/xss_dompurify.jsonl'),
      ...lines(security, 'xss/xss_pat.txt'),
      ...lines(security, 'sqli/sqli.txt'),
      ...lines(security, 'traversal/traversal.txt'),
    ]
    expect(texts.length).toBeGreaterThan(1000)
    accepted = 0
    expect(await stallsDuring(() => forEachRow(texts, sendText))).toEqual([])
    expect(accepted).toBeGreaterThan(texts.length)
  },
  manyRequestsTimeoutMs,
)

test.skipIf(!security.exists)(
  'the corpora of hostile links, bodies, tokens and images do not stall the server',
  async () => {
    const links = [
      ...security.rows<string>('xss/bad_link_values.jsonl'),
      ...security.rows<string>('redirect/open_redirect.jsonl'),
      ...security.rows<string>('ssrf/ssrf_block.jsonl'),
      ...security.rows<{ input: string }>('urls/wpt_urltestdata.jsonl').map(({ input }) => input),
    ].filter((link) => typeof link === 'string')
    const bodies = security.rows<string>('json/bodies.jsonl')
    const tokens = security.rows<{ token?: string }>('jwt/own.jsonl').map(({ token = '' }) => token)
    const images = readdirSync(security.path('images')).filter((file) => !file.endsWith('.jsonl'))
    const stalls = await stallsDuring(async () => {
      await forEachRow(links, sendLink)
      await forEachRow(bodies, (body) => send('POST', 'bookmarks/', body))
      await forEachRow(tokens, (forged) =>
        fetch(`${server.url}/api/notifications/`, {
          headers: { authorization: `Bearer ${encodeURI(forged)}` },
        }),
      )
      await forEachRow(images, async (file) => {
        const form = new FormData()
        form.set('avatar', new Blob([security.bytes(`images/${file}`)]), 'a.png')
        await send('PATCH', 'profile/mallory/', form)
      })
    })
    expect(stalls).toEqual([])
  },
  manyRequestsTimeoutMs,
)

const extraction = openCorpus('extraction')
test.skipIf(!extraction.exists)(
  'the corpus of pages does not stall the server',
  async () => {
    const files = readdirSync(extraction.path('pages')).filter((file) => file.endsWith('.html'))
    expect(files.length).toBeGreaterThan(50)
    for (const file of files)
      served.set(`/corpus/${encodeURIComponent(file)}`, extraction.bytes(`pages/${file}`))
    const stalls = await stallsDuring(() =>
      forEachRow(files, (file) => extract(`/corpus/${encodeURIComponent(file)}`)),
    )
    expect(stalls).toEqual([])
  },
  manyRequestsTimeoutMs,
)
