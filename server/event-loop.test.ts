/** A real server never stops answering for 50 ms, whatever texts, links, pages and files it receives. */
import { readdirSync } from 'node:fs'
import { listHostileTexts } from '@reelmark/contract/protocol/hostile-texts.fixture.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { isHttpUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCorpus } from './testing/corpora.ts'
import { hostilePages, hostileResponses } from './testing/hostile-sites.fixture.ts'
import { sendPage } from './testing/local-internet.fixture.ts'
import { openStallSite, type StallSite } from './testing/stall-site.fixture.ts'

/** Milliseconds for some thousand requests on a busy machine. */
const manyRequestsTimeoutMs = 900_000

/** A user can have only one import at a time. */
const oneAtATime = { concurrency: 1 }

let site: StallSite
beforeAll(async () => {
  site = await openStallSite()
}, manyRequestsTimeoutMs)
afterAll(() => site?.close())

test('the measure notices that the server stalls while it starts', () => {
  expect(Math.max(...site.listTurnMs())).toBeGreaterThanOrEqual(50)
})

describe('texts on which careless code takes quadratic time', { timeout: manyRequestsTimeoutMs }, () => {
  const texts = listHostileTexts()
  /**
   * Every sixth of the repeated characters and of the scripts, whose neighbours differ little, and every piece of a
   * pattern. hostile-texts.test.ts passes all texts to each function; the import below passes all to the server.
   */
  const sample = texts.filter(({ name }, n) => n % 6 === 0 || name.startsWith('"')).map(({ text }) => text)

  test('do not stall the server where users write texts', async () => {
    const before = site.countAccepted()
    expect(await site.findStalls(sample, site.sendText)).toEqual([])
    expect(site.countAccepted() - before).toBeGreaterThan(sample.length)
  })

  test('do not stall the server as a host or path of a link', async () => {
    const links = sample.flatMap((text) => [
      `https://example.org/${text.slice(0, 2000)}`,
      `https://${text}.example.org/`,
    ])
    expect(await site.findStalls(links, site.sendLink)).toEqual([])
  })

  test('do not stall the server while it imports them', async () => {
    // The others would be refused: control characters, and characters that normalisation makes longer.
    const valid = texts
      .map(({ text }) => text)
      .filter((text) => !/\p{Cc}/u.test(text) && [...text.normalize('NFC')].length <= limits.descriptionMax)
    expect(valid.length).toBeGreaterThan(1000)
    const batches = Array.from({ length: 20 }, (_, n) => valid.filter((_, index) => index % 20 === n))
    expect(
      await site.findStalls(batches, (batch) => site.importBookmarks(batch, 'texts'), oneAtATime),
    ).toEqual([])
  })

  test('do not stall the server while the effect of a content rule on them is shown', async () => {
    const rules = [
      { kind: 'word', pattern: 'cheap pills' },
      { kind: 'word', pattern: '赌场' },
      { kind: 'host', pattern: 'spam.example' },
    ]
    expect(await site.findStalls(rules, (rule) => site.post('moderation/rules/preview/', rule))).toEqual([])
  })
})

describe('requests of the greatest length', () => {
  const length = 256 * 1024 - 100
  const nested = ['[1,', '[', '{"a":1,"b":', '{"a":', '[{"a":"b"},']
  const values = [
    ...[
      '\u200b',
      'a\u0301',
      '\u0301\u0316',
      '\u{1d15e}',
      '\ufdfa',
      ' ',
      '字',
      '\\"',
      '\\u0000',
      '\\ud800',
    ].map((piece) => `"${piece.repeat((length / Buffer.byteLength(piece)) | 0)}"`),
    `[${'[],'.repeat(length / 3 - 1)}0]`,
    `[${'{},'.repeat(length / 3 - 1)}0]`,
    `[${'"a",'.repeat(length / 4 - 1)}"a"]`,
    `{${Array.from({ length: 18_000 }, (_, n) => `"p${n}":"x"`)}}`,
  ]
  const bodies = [
    ...nested.map((piece) => piece.repeat(length / piece.length).slice(0, -1)),
    ...values,
    ...values.map((value) => `{"bio":${value}}`),
  ]

  test.each([
    ['POST', 'bookmarks/'],
    ['PATCH', 'profile/mallory/'],
    ['POST', 'token/'],
    ['POST', 'transfer/imports/'],
  ])('%s %s do not stall the server', async (method, url) => {
    const workers = site.server.workers()
    expect(await site.findStalls(bodies, (body) => site.send(method, url, body))).toEqual([])
    expect(site.server.workers()).toEqual(workers)
  })
})

describe('long lists and texts in a file', () => {
  test('do not stall the server while it imports them', async () => {
    const texts = ['字', 'a\u0301', '\ufdfa'].map((piece) => `"${piece.repeat(1_000_000)}"`)
    const entries = [
      `{"collections":[{"channels":[${'{"name":"x","description":"é"},'.repeat(10_000)}0]}]`,
      `{"bookmarks":[{"tags":[${'"é",'.repeat(700_000)}0]}]`,
      `{"bookmarks":[{${Array.from({ length: 200_000 }, (_, n) => `"p${n}":"é"`)}}]`,
      ...texts.map((text) => `{"bookmarks":[{"title":${text}}]`),
      `{"bookmarks":[${'{},'.repeat(100_000)}0]`,
      `{"likes":[${'{"source_url":"https://a.example/","created_at":"2026-01-01T00:00:00Z"},'.repeat(40_000)}0]`,
      `{"${'x'.repeat(3_000_000)}":0`,
    ]
    const upload = (entry: string) => site.send('POST', 'transfer/imports/', `${entry}}`)
    expect(await site.findStalls(entries, upload, oneAtATime)).toEqual([])
  })
})

describe('pages with which a site tries to keep the server busy', () => {
  test.each(Object.entries(hostilePages))(
    '%s do not stall the server',
    async (name, { body, contentType }) => {
      site.internet.sites.set('hostile.example', (reply) => sendPage(reply, body, contentType))
      expect(await site.findStalls([name], () => site.extract('http://hostile.example/'))).toEqual([])
    },
  )

  test('do not stall the server if it reads several at a time', async () => {
    const names = Object.keys(hostilePages)
    for (const [n, name] of names.entries()) {
      const { body = '', contentType } = hostilePages[name] ?? {}
      site.internet.sites.set(`hostile${n}.example`, (reply) => sendPage(reply, body, contentType))
    }
    const urls = names.map((_, n) => `http://hostile${n}.example/`)
    expect(await site.findStalls(urls, site.extract)).toEqual([])
  })

  test('do not stall the server as oEmbed documents', async () => {
    const pieces = ['[', '[1,', '{"a":', '<oembed><title>', '<a', '&lt;']
    const documents = pieces.map((piece) => piece.repeat((500 * 1024) / piece.length))
    site.internet.sites.set('oembed.example', (reply, url) => serveOembed(reply, url, documents))
    const urls = documents.map((_, n) => `http://oembed.example/watch?n=${n}`)
    expect(await site.findStalls(urls, site.extract)).toEqual([])
  })
})

/** Serves a page at /watch that links to the oEmbed document with the same number. */
function serveOembed(
  reply: Parameters<typeof sendPage>[0],
  url: URL,
  documents: readonly (string | Buffer)[],
): void {
  const { pathname, search, searchParams } = url
  if (pathname === '/watch')
    sendPage(reply, `<link rel="alternate" type="application/json+oembed" href="/oembed${search}">`)
  else sendPage(reply, documents[Number(searchParams.get('n'))] ?? '', 'application/json')
}

const security = openCorpus('security')
describe.skipIf(!security.exists)('the corpora of attacks', { timeout: manyRequestsTimeoutMs }, () => {
  const readLines = (file: string) => security.bytes(file).toString().split('\n')

  test('do not stall the server where users write texts', async () => {
    const texts = [
      ...security.rows<string>('naughty/blns.jsonl'),
      ...security.rows<string>('naughty/own.jsonl'),
      ...security.rows<string>('xss/xss_dompurify.jsonl'),
      ...readLines('xss/xss_pat.txt'),
      ...readLines('sqli/sqli.txt'),
      ...readLines('traversal/traversal.txt'),
    ]
    expect(texts.length).toBeGreaterThan(1000)
    const before = site.countAccepted()
    expect(await site.findStalls(texts, site.sendText)).toEqual([])
    expect(site.countAccepted() - before).toBeGreaterThan(texts.length)
  })

  test('do not stall the server where users enter links', async () => {
    const names = security.rows<{ host: string; answers: string[][] }>('ssrf/ssrf_dns.jsonl')
    for (const { host, answers } of names) site.internet.addresses.set(host, answers)
    const links = [
      ...security.rows<string>('xss/bad_link_values.jsonl'),
      ...security.rows<string>('redirect/open_redirect.jsonl'),
      ...security.rows<string>('ssrf/ssrf_block.jsonl'),
      ...security.rows<string>('ssrf/ssrf_allow.jsonl'),
      ...names.map(({ host }) => `http://${host}/`),
      ...security.rows<{ input: string }>('urls/wpt_urltestdata.jsonl').map(({ input }) => input),
      ...security.rows<{ input: string }>('urls/wpt_toascii.jsonl').map(({ input }) => `https://${input}/`),
    ].filter((link) => typeof link === 'string')
    expect(links.length).toBeGreaterThan(1000)
    expect(await site.findStalls(links, site.sendLink)).toEqual([])
  })

  test('do not stall the server as redirects and responses of sites', async () => {
    type Redirect = { status: number; location?: string; meta_refresh?: string; html_og_image?: string }
    const redirects = security.rows<Redirect>('ssrf/ssrf_redirects.jsonl')
    site.internet.sites.set('redirecting.example', (reply, url) => {
      const {
        status = 200,
        location,
        meta_refresh,
        html_og_image,
      } = redirects[Number(url.searchParams.get('n'))] ?? {}
      const page = `<meta http-equiv=refresh content="0;url=${meta_refresh}"><meta property="og:image" content="${html_og_image}">`
      if (location === undefined) sendPage(reply, page)
      else reply.writeHead(status, { location }).end()
    })
    const names = security.rows<{ name: string }>('ssrf/hostile_responses.jsonl').map(({ name }) => name)
    expect(Object.keys(hostileResponses)).toEqual(expect.arrayContaining(names))
    site.internet.sites.set('responding.example', (reply, url) =>
      hostileResponses[url.searchParams.get('name') ?? '']?.(reply),
    )
    const urls = [
      ...redirects.map((_, n) => `http://redirecting.example/?n=${n}`),
      ...Object.keys(hostileResponses).map((name) => `http://responding.example/?name=${name}`),
    ]
    expect(await site.findStalls(urls, site.extract)).toEqual([])
  })

  test('do not stall the server as bodies and tokens', async () => {
    const bodies = security.rows<string>('json/bodies.jsonl')
    for (const url of ['bookmarks/', 'token/', 'auth/register/', 'transfer/imports/'])
      expect(await site.findStalls(bodies, (body) => site.send('POST', url, body))).toEqual([])
    const tokens = [
      ...security.rows<{ token?: string }>('jwt/own.jsonl').map(({ token = '' }) => token),
      ...security.rows<{ jws: string }>('jwt/wycheproof_jws.jsonl').map(({ jws }) => jws),
    ]
    expect(tokens.length).toBeGreaterThan(300)
    const sendToken = async (token: string) => {
      await site.send('GET', 'notifications/', undefined, { authorization: `Bearer ${encodeURI(token)}` })
      await site.post('token/refresh/', { refresh: token })
    }
    expect(await site.findStalls(tokens, sendToken)).toEqual([])
  })

  test('do not stall the server as pictures', async () => {
    const files = readdirSync(security.path('images')).filter((file) => !file.endsWith('.jsonl'))
    expect(files.length).toBeGreaterThan(50)
    const upload = (file: string) => site.uploadAvatar(security.bytes(`images/${file}`))
    expect(await site.findStalls(files, upload)).toEqual([])
  })
})

const extraction = openCorpus('extraction')
describe.skipIf(!extraction.exists)('the corpora of sites', { timeout: manyRequestsTimeoutMs }, () => {
  const listFiles = (folder: string) =>
    readdirSync(extraction.path(folder)).filter((file) => !file.endsWith('.expected.json'))

  test('do not stall the server as pages', async () => {
    const files = listFiles('pages')
    expect(files.length).toBeGreaterThan(50)
    site.internet.sites.set('pages.example', (reply, url) =>
      sendPage(reply, extraction.bytes(`pages/${files[Number(url.searchParams.get('n'))]}`)),
    )
    const urls = files.map((_, n) => `http://pages.example/?n=${n}`)
    expect(await site.findStalls(urls, site.extract)).toEqual([])
  })

  test('do not stall the server as oEmbed documents', async () => {
    const documents = listFiles('oembed').map((file) => extraction.bytes(`oembed/${file}`))
    expect(documents.length).toBeGreaterThan(30)
    site.internet.sites.set('oembed.example', (reply, url) => serveOembed(reply, url, documents))
    const urls = documents.map((_, n) => `http://oembed.example/watch?n=${n}`)
    expect(await site.findStalls(urls, site.extract)).toEqual([])
  })

  test('do not stall the server as links', async () => {
    type Row = { url: string; domain: string }
    const embeds = extraction.rows<Row>('urls-embed.jsonl')
    // The links of a domain are read by the same rules: one of each is extracted and saved, and all are imported.
    const firsts = new Map(embeds.map(({ domain, url }) => [domain, url]))
    expect(firsts.size).toBeGreaterThan(1000)
    const links = [...firsts.values(), ...extraction.rows<Row>('urls-negative.jsonl').map(({ url }) => url)]
    expect(await site.findStalls(links, site.sendLink)).toEqual([])
    const valid = [...new Set(embeds.map(({ url }) => url))].filter(isHttpUrl)
    const batches = Array.from({ length: 20 }, (_, n) => valid.filter((_, index) => index % 20 === n))
    expect(
      await site.findStalls(batches, (batch) => site.importBookmarks(batch, 'links'), oneAtATime),
    ).toEqual([])
  })

  test('do not stall the server as files to import', async () => {
    const files = listFiles('imports')
    expect(files.length).toBeGreaterThan(50)
    const upload = (file: string) =>
      site.send('POST', 'transfer/imports/', extraction.bytes(`imports/${file}`))
    expect(await site.findStalls(files, upload)).toEqual([])
  })
})
